"""Tests of estimators/workers."""
