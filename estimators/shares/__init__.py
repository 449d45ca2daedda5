"""Shares of options with their variances and intervals."""
