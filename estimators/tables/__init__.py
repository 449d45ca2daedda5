"""Estimates as rows, for pages, files and the terminal alike."""
