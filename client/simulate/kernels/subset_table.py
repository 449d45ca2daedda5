"""Short lists: one code for a truth and a set, drawn from a table of all sets.

The table's sets are those around option 0; another truth turns them like a wheel. A tally is then
one count of codes and one small matrix product, whatever the sets' size.
"""

from itertools import combinations
from math import comb

import numpy as np

from client.mechanisms import SubsetSelection
from client.simulate.kernels.draws import Narrow, near_or_far
from client.simulate.kernels.kernel import Kernel
from client.simulate.source import Integers, Source

# Codes are words of 16 bits at the most.
MAX_CODES = 2**16


def codes_of(m: SubsetSelection) -> int:
    """A code for every truth and set."""
    return m.options * comb(m.options, m.size)


def fits(m: SubsetSelection) -> bool:
    return codes_of(m) <= MAX_CODES


def sets_around_zero(options: int, size: int) -> Integers:
    """All sets, one per row: first the near ones of option 0, which hold it, then the far ones."""
    others = range(1, options)
    near = [(0, *rest) for rest in combinations(others, size - 1)]
    return np.array([*near, *combinations(others, size)])


def kernel(m: SubsetSelection) -> Kernel:
    narrow = np.min_scalar_type(codes_of(m) - 1)
    near = comb(m.options - 1, m.size - 1)
    far = comb(m.options - 1, m.size)
    sets = sets_around_zero(m.options, m.size)
    holds = np.zeros((len(sets), m.options))
    np.put_along_axis(holds, sets, 1, axis=1)

    def draw(answers: Narrow, source: Source) -> Narrow:
        positions = near_or_far(m.threshold, near, far, len(answers), source)
        codes = positions.astype(narrow, copy=False)
        codes += np.multiply(answers, len(sets), dtype=narrow)
        return codes

    def expand(codes: Narrow) -> Narrow:
        truths, positions = np.divmod(codes, narrow.type(len(sets)))
        return (sets[positions].T + truths) % m.options

    def fold(counts: Integers) -> Integers:
        # Counts are far below 2^53, so this product of floats is exact.
        around = counts.reshape(m.options, len(sets)) @ holds
        tally: Integers = np.zeros(m.options, dtype=np.int64)
        for truth, row in enumerate(around.astype(np.int64)):
            tally += np.roll(row, truth)
        return tally

    return Kernel(codes_of(m), draw, expand, fold)
