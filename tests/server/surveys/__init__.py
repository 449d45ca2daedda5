"""Tests of server/surveys."""
