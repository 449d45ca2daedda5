"""Tests of estimators/paperwork."""
