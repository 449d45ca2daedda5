"""How often each code occurs among many narrow ones."""

import numpy as np

from client.simulate.kernels.draws import Narrow
from client.simulate.source import Integers

# From so many bytes on it pays to count them in pairs, in a table of 2^16 pairs.
PAIRED = 2**17


def count(codes: Narrow, size: int) -> Integers:
    """How many of the codes are 0, 1, .. size - 1."""
    flat = codes.ravel()
    if flat.dtype == np.bool_:
        ones = np.count_nonzero(flat)
        return np.array([len(flat) - ones, ones])
    if flat.dtype == np.uint8 and len(flat) >= PAIRED:
        return _count_pairs(flat)[:size]
    return np.bincount(flat, minlength=size)


def _count_pairs(flat: Narrow) -> Integers:
    """Every pair of bytes counts for its first and for its second one."""
    even = len(flat) // 2 * 2
    pairs = np.bincount(flat[:even].view(np.uint16), minlength=2**16).reshape(2**8, 2**8)
    counts: Integers = pairs.sum(axis=0) + pairs.sum(axis=1)
    return counts + np.bincount(flat[even:], minlength=2**8)
