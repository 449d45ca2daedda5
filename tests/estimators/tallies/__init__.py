"""Tests of tallies as files."""
