"""Tests of estimators/published."""
