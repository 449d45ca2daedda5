"""From a tally's cells to the reports that support each option (math 0.5, 2.2, 3)."""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms import TwoLevel
from client.core.primitives.refusal import require
from estimators.counting.tally import Tally
from estimators.shares.spread import Counts


class Support(NamedTuple):
    """For each option: the reports that support it, and the reports that are about it."""

    reported: Counts
    asked: Counts


def check_cells(mechanism: TwoLevel, tally: Tally) -> None:
    """Raise if reports of this mechanism could not have made the tally."""
    require(
        len(tally.counts) == mechanism.cells,
        "bad_counts.cells",
        "counts",
        cells=mechanism.cells,
        name=mechanism.name,
        count=len(tally.counts),
    )
    require(
        sum(tally.counts) == tally.n * mechanism.marks,
        "bad_counts.sum_of_n",
        "counts",
        marks=mechanism.marks,
        n=tally.n,
        total=sum(tally.counts),
    )


Entry = TypeVar("Entry", np.int64, np.float64)


def walsh_hadamard(values: NDArray[Entry]) -> NDArray[Entry]:
    """Return for every c the sum over z of (-1)^popcount(c & z) values[z] (math 2.2).

    It works along the first axis, whose length is a power of two, with K log K additions, not K^2.
    """
    size, rest = len(values), values.shape[1:]
    result = values
    half = 1
    while half < size:
        pairs = result.reshape(size // (2 * half), 2, half, *rest)
        even, odd = pairs[:, 0], pairs[:, 1]
        result = np.stack((even + odd, even - odd), axis=1)
        half *= 2
    return result.reshape(values.shape)
