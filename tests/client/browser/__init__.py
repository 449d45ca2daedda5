"""Tests of the bundle that browsers get."""
