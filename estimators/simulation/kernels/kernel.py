"""What the bulk randomizers share: answers in, narrow codes of reports out, and their counts."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from estimators.simulation.kernels.draws import Narrow
from estimators.simulation.kernels.source import Integers, Source


def same(codes: Narrow) -> Narrow:
    """Return the codes unchanged: they are cells already, or the reports are sets of cells."""
    return codes


def single(cells: Integers) -> Integers:
    """Return reports that consist of the number of their one cell."""
    return cells[:, 0]


@dataclass(frozen=True)
class Kernel:
    """The bulk randomizer of one mechanism.

    `draw` returns codes 0 .. codes - 1, one per answer, or one row of them per mark. `expand` turns
    codes into cells, one row per mark, and `fold` turns counts of codes into counts of cells.
    `wire` turns the sorted cells of each report, one row each, into what the report carries.
    """

    codes: int
    draw: Callable[[Narrow, Source], Narrow]
    expand: Callable[[Narrow], Narrow] = same
    fold: Callable[[Integers], Integers] = same
    wire: Callable[[Integers], Integers] = single


# With this many bytes it pays to count several at once, in a table of 2^16.
MANY = 2**17


def count(codes: Narrow, size: int) -> Integers:
    """Count how many of the codes are 0, 1, .. size - 1."""
    flat = codes.ravel()
    if flat.dtype == np.bool_:
        ones = np.count_nonzero(flat)
        return np.array([len(flat) - ones, ones])
    if flat.dtype == np.uint8 and len(flat) >= MANY:
        return (_count_digits(flat) if size <= 2**4 else _count_bytes(flat))[:size]
    return np.bincount(flat, minlength=size)


def _count_bytes(flat: Narrow) -> Integers:
    """Count bytes two at a time."""
    even = len(flat) // 2 * 2
    pairs = np.bincount(flat[:even].view(np.uint16), minlength=2**16)
    return _of_pairs(pairs) + np.bincount(flat[even:], minlength=2**8)


def _count_digits(flat: Narrow) -> Integers:
    """Count digits of four bits, four at a time: two of them make one byte."""
    even = len(flat) // 2 * 2
    apart = flat[:even].view(np.uint16)
    pairs = _count_bytes((apart | apart >> 4).astype(np.uint8))
    return _of_pairs(pairs) + np.bincount(flat[even:], minlength=2**4)


def _of_pairs(pairs: Integers) -> Integers:
    """Return the counts of single values from counts of pairs."""
    table = pairs.reshape(2 * [int(len(pairs) ** 0.5)])
    counts: Integers = table.sum(axis=0) + table.sum(axis=1)
    return counts
