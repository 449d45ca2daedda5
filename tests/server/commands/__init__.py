"""Tests of server/commands."""
