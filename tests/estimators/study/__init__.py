"""Tests of estimators/study."""
