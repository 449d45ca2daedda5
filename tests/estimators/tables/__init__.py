"""Tests of estimators/tables."""
