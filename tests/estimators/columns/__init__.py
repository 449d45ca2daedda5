"""Tests of estimators/columns."""
