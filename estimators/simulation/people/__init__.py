"""Synthetic people: what they truly answer."""
