"""Tests of estimators/counting."""
