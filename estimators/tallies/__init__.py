"""Tallies as files: count reports into them, add them up, and read them back."""
