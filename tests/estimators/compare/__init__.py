"""Tests of estimators/compare."""
