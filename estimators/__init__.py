"""Counts to conclusions: tallies, p and q in; totals, shares, variances and intervals out."""
