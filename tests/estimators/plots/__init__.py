"""Tests of estimators/plots."""
