"""Uniform subsets in bulk: Floyd's algorithm (math 0.4) for all respondents at once."""

import numpy as np

from client.simulate.kernels.draws import Narrow, below_each
from client.simulate.source import Flags, Integers, Source


def subsets(size: int, chosen: int, n: int, source: Source) -> Narrow:
    """n uniform `chosen`-subsets of 0 .. size - 1, one per column, in no order."""
    lasts = np.arange(size - chosen, size)
    if chosen == size:
        return np.repeat(lasts.astype(np.min_scalar_type(size))[:, np.newaxis], n, axis=1)
    picked = below_each(lasts + 1, n, source)
    # Comparing with all earlier picks is faster than a matrix of what is taken: no memory jumps.
    equal = np.empty(picked.shape, dtype=np.bool_)
    for step, last in enumerate(lasts.astype(picked.dtype)):
        np.equal(picked[:step], picked[step], out=equal[:step])
        repeated = np.logical_or.reduce(equal[:step])
        # As many are taken as numbers were too high to be drawn before, so the last is free.
        np.maximum(picked[step], repeated * last, out=picked[step])
    return picked


def members(flags: Flags, rows: Integers, items: Narrow) -> Flags:
    """Whether the flags of these rows are set at the items: one column of items for each row."""
    found: Flags = np.take(flags.ravel(), rows * flags.shape[1] + items)
    return found
