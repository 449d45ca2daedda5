"""Tests of estimators/curator."""
