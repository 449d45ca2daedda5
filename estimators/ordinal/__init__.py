"""Means, quantiles and distributions of ordered answers."""
