"""The possible shares nearest to the estimates: for display, never for totals or tests (7)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Row = dict[str, Any]


def possible_shares(shape: Row, share: Array) -> Array:
    """Return the possible shares nearest to the estimates; boxes and silence one by one."""
    return np.clip(share, 0, 1) if shape["name"] in ("smp", "privset", "isw") else norm_sub(share)


def norm_sub(share: Array) -> Array:
    """Return the nearest shares that are not negative and sum to one."""
    falling = np.sort(share)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(share) + 1)
    return np.maximum(share - excess[np.flatnonzero(falling > excess)[-1]], 0)


def never_falling(values: Array, weights: Array) -> Array:
    """Return the nearest numbers that never decrease, by pooling adjacent ones that do."""
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values, np.maximum(weights, 1e-9), strict=True):
        size = 1
        while blocks and blocks[-1][0] > value:
            other, heft, many = blocks.pop()
            value = (other * heft + value * weight) / (heft + weight)
            weight, size = heft + weight, many + size
        blocks.append((value, weight, size))
    return np.repeat([block[0] for block in blocks], [block[2] for block in blocks])
