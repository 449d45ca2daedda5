"""Tests of the researchers' pages."""
