"""Regression on true answers that nobody saw: every report enters with its chances (math 16)."""
