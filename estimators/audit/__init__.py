"""Checks that the shipped randomizers leak no more than they promise."""
