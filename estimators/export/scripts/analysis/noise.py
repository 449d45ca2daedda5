"""What the randomizer adds: the variance of one share, and how several shares vary together.

`places` are the options of a block of the matrix: a few options of a list of thousands are cheap.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting import channel

Array = NDArray[np.float64]
Places = NDArray[np.int64]
Row = dict[str, Any]


def noise(share: Array, p: float, q: float) -> Array:
    """Return the randomizer's variance per respondent: share V1 + (1 - share) V0 (0.5)."""
    yes, no = p * (1 - p) / (p - q) ** 2, q * (1 - q) / (p - q) ** 2
    return no + share * (yes - no)


def choice_noise(shape: Row, share: Array, n: int, places: Places) -> Array:
    """Return the noise covariance of one choice out of several, linear in the shares (2.1, 2.2)."""
    p, q = channel(shape)
    k, chosen = len(share), share[places]
    if shape["name"] == "hr":
        rows = places + 1
        other = rows[:, None] ^ rows[None, :]
        matrix = np.where(other <= k, share[np.clip(other, 1, k) - 1], 0) / (2 * (p - q))
    else:  # Randomized response is subset selection of one out of two.
        w = shape.get("size", 1)
        told = (p * (w - 1) / (k - 1) - p * q) / (p - q) ** 2
        outside = (p * (w - 1) * (w - 2) + (1 - p) * w * (w - 1)) / max((k - 1) * (k - 2), 1)
        silent = (outside - q**2) / (p - q) ** 2 if k > 2 else 0.0
        matrix = np.add.outer(chosen, chosen) * (told - silent) + silent
    np.fill_diagonal(matrix, noise(chosen, p, q))
    return np.asarray(matrix / n)


def check_noise(shape: Row, share: Array, n: int) -> Array:
    """Return the noise covariance of check-boxes that are ticked independently (3)."""
    both = np.outer(share, share)
    if shape["name"] == "smp":
        return np.zeros_like(both)
    d, w, keep = shape["options"], shape["size"], shape["threshold"] / 2**32
    items = d + shape["at_most"]
    hit = 1 - math.comb(d, w) / math.comb(items, w)
    uniform = w * (w - 1) / (items * (items - 1))
    outside = w * (w - 1) / (d * (d - 1)) if d > 1 else 0.0
    told = keep * uniform / hit
    silent = keep * (uniform - (1 - hit) * outside) / hit + (1 - keep) * outside
    p, q = channel(shape)
    lam = q + (p - q) * share
    held = silent + (told - silent) * (np.add.outer(share, share) - both)
    return np.asarray((held - np.outer(lam, lam)) / (p - q) ** 2 / n)
