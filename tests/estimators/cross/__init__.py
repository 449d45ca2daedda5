"""Tests of estimators/cross."""
