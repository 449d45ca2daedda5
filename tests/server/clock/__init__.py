"""Tests of whether the clock can be trusted."""
