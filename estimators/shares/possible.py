"""Shares made possible, for display only: never for totals, tests or intervals (math 7)."""

import numpy as np
from scipy.optimize import isotonic_regression

from estimators.shares.spread import Array


def norm_sub(shares: Array) -> Array:
    """Subtract one number from all shares, cut at 0, so that they sum to one (math 7).

    This is the projection onto the simplex: no possible shares are nearer.
    """
    falling = np.sort(shares)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(shares) + 1)
    kept = int(np.flatnonzero(falling > excess)[-1])
    return np.maximum(shares - float(excess[kept]), 0.0)


def isotonic(values: Array, weights: Array) -> Array:
    """Return the nearest numbers that never decrease, by pooling adjacent violators (math 5)."""
    if not len(values):
        return values
    found: Array = isotonic_regression(values, weights=np.maximum(weights, 1e-9)).x
    return found
