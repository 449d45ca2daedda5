"""Damage that nobody announces: single bits of the files that are not what was written."""
