"""Tests of server/respondents."""
