"""Measurements: ratios within one run, never seconds."""
