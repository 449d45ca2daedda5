"""Subset selection in bulk: single options, short lists by a table of sets, and long lists."""

from itertools import combinations
from math import comb

import numpy as np

from client.core.mechanisms import SubsetSelection
from estimators.simulation.kernels.draws import Narrow, below, coins, near_or_far, subsets
from estimators.simulation.kernels.kernel import Kernel, same
from estimators.simulation.kernels.source import Integers, Source


def k_ary_kernel(m: SubsetSelection) -> Kernel:
    """Return the kernel for reports of a single option."""
    k = m.options
    narrow = np.min_scalar_type(2 * k - 2)

    def draw(answers: Narrow, source: Source) -> Narrow:
        # 0 steps keep the answer; each other option is a different number of steps away.
        steps = near_or_far(m.threshold, 1, k - 1, len(answers), source)
        reports = steps.astype(narrow, copy=False)
        reports += answers
        # Modulo k: numpy divides several times faster than it computes remainders.
        reports -= reports // k * k
        return reports

    return Kernel(m.cells, draw, wire=same)


# Codes have at most 16 bits.
MAX_CODES = 2**16


def codes_of(m: SubsetSelection) -> int:
    """Return the number of codes: one for every truth and set."""
    return m.options * comb(m.options, m.size)


def fits(m: SubsetSelection) -> bool:
    """Return whether all codes fit into 16 bits."""
    return codes_of(m) <= MAX_CODES


def sets_around_zero(options: int, size: int) -> Integers:
    """Return all sets, one per row: first those that hold option 0, then all others."""
    others = range(1, options)
    near = [(0, *rest) for rest in combinations(others, size - 1)]
    return np.array([*near, *combinations(others, size)])


def table_kernel(m: SubsetSelection) -> Kernel:
    """Return the kernel for short lists, by a table of all sets."""
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
        shifted = counts.reshape(m.options, len(sets)) @ holds
        tally: Integers = np.zeros(m.options, dtype=np.int64)
        for truth, row in enumerate(shifted.astype(np.int64)):
            tally += np.roll(row, truth)
        return tally

    return Kernel(codes_of(m), draw, expand, fold, wire=same)


def kernel(m: SubsetSelection) -> Kernel:
    """Return the kernel that suits the size of the list and of the sets."""
    if m.size == 1:
        return k_ary_kernel(m)
    return table_kernel(m) if fits(m) else long_list(m)


def long_list(m: SubsetSelection) -> Kernel:
    """Return the kernel for lists whose sets do not fit into a table."""

    def draw(answers: Narrow, source: Source) -> Narrow:
        keep = coins(m.threshold, len(answers), source)
        sets = subsets(m.options - 1, m.size, len(answers), source)
        # Skip the truth: numbers from it on stand for the options after it.
        sets += sets >= answers
        # The truth replaces a uniform one of the others, so the remaining ones stay uniform.
        place = below(m.size, len(answers), source)
        kept = np.flatnonzero(keep)
        sets[place[kept], kept] = answers[kept]
        return sets

    return Kernel(m.cells, draw, wire=same)
