"""Subset selection in bulk: single options, short lists by a table of sets, long lists."""

from itertools import combinations
from math import comb

import numpy as np

from client.core.mechanisms import SubsetSelection
from estimators.simulation.kernels.draws import Narrow, below, coins, near_or_far, subsets
from estimators.simulation.kernels.kernel import Kernel, same
from estimators.simulation.kernels.source import Integers, Source


def k_ary_kernel(m: SubsetSelection) -> Kernel:
    k = m.options
    narrow = np.min_scalar_type(2 * k - 2)

    def draw(answers: Narrow, source: Source) -> Narrow:
        # No turn keeps the answer; each other option is as many steps away as no other.
        turns = near_or_far(m.threshold, 1, k - 1, len(answers), source)
        reports = turns.astype(narrow, copy=False)
        reports += answers
        # Modulo k; numpy is several times faster at dividing than at remainders.
        reports -= reports // k * k
        return reports

    return Kernel(m.cells, draw, wire=same)


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


def table_kernel(m: SubsetSelection) -> Kernel:
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

    return Kernel(codes_of(m), draw, expand, fold, wire=same)


def kernel(m: SubsetSelection) -> Kernel:
    if m.size == 1:
        return k_ary_kernel(m)
    return table_kernel(m) if fits(m) else long_list(m)


def long_list(m: SubsetSelection) -> Kernel:
    def draw(answers: Narrow, source: Source) -> Narrow:
        keep = coins(m.threshold, len(answers), source)
        sets = subsets(m.options - 1, m.size, len(answers), source)
        # Numbers from the truth on are those of the options after it.
        sets += sets >= answers
        # The truth takes the place of any of the others: what remains of them is uniform.
        place = below(m.size, len(answers), source)
        kept = np.flatnonzero(keep)
        sets[place[kept], kept] = answers[kept]
        return sets

    return Kernel(m.cells, draw, wire=same)
