"""Joining links and reports: what an operator has, how it is tried, and how often it succeeds."""
