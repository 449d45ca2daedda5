"""Tests of estimators/ordinal."""
