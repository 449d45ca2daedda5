"""Synthetic respondents in bulk: vectorised, reproducible, and never used for a real answer."""
