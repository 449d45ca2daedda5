"""Tests of estimators/audit."""
