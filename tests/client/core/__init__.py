"""Tests of the trusted core."""
