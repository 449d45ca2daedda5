"""Tests of survey files."""
