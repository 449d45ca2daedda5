"""Tests of estimators/regression."""
