"""Shares made possible, for display only: never for totals, tests or intervals (math 7)."""

import numpy as np

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
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), np.maximum(weights, 1e-9).tolist(), strict=True):
        mean, size, count = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, heft, many = blocks.pop()
            mean = (before * heft + mean * size) / (heft + size)
            size, count = heft + size, many + count
        blocks.append((mean, size, count))
    return np.repeat([block[0] for block in blocks], [block[2] for block in blocks])
