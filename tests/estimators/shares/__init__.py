"""Tests of estimators/shares."""
