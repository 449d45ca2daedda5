"""Tests of server/signing."""
