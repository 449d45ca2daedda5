"""Tallies drawn directly, without drawing persons."""
