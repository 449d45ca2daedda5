"""Tests of estimators/simulation."""
