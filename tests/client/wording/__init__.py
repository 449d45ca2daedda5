"""Tests of what respondents read."""
