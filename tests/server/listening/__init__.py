"""Tests of server/listening."""
