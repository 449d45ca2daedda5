"""Tests of the respondent's side."""
