"""Tests of estimators/commands."""
