"""Tests of estimators/planning."""
