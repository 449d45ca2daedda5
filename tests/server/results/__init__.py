"""Tests of server/results."""
