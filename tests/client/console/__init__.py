"""Tests of what all commands share."""
