"""Tests of estimators/warehouse."""
