"""Tests of estimators/export."""
