"""How the reports of each mechanism are laid out: which numbers name which cells of the tally.

With it reports are counted in bulk, here and in a warehouse. `check` and `cells_of` of a mechanism
say the same of a single report.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)

Integers = NDArray[Any]


@dataclass(frozen=True)
class Layout:
    """A report is a number, or a list of `marks` numbers in increasing order.

    Numbers go from `least` to `least + count - 1`. With a bit, each mark is a pair of its number
    and 0 or 1, and has two cells. Without `in_list` the one mark stands alone.
    """

    count: int
    marks: int = 1
    least: int = 0
    in_list: bool = False
    with_bit: bool = False

    @property
    def most(self) -> int:
        return self.least + self.count - 1

    def cells(self, reports: Integers) -> Integers | None:
        """Return the cells of each report in a row of their own; None if one is no report."""
        width = 2 if self.with_bit else 1
        rows = reports.astype(np.int64, copy=False).reshape(len(reports), self.marks, width)
        numbers = rows[:, :, 0]
        if _outside(numbers, self.least, self.most) or (numbers[:, 1:] <= numbers[:, :-1]).any():
            return None
        if not self.with_bit:
            return numbers - self.least if self.least else numbers
        bits = rows[:, :, 1]
        return None if _outside(bits, 0, 1) else 2 * (numbers - self.least) + bits


def _outside(numbers: Integers, least: int, most: int) -> bool:
    return bool(len(numbers)) and bool(numbers.min() < least or numbers.max() > most)


def _number(mechanism: TwoLevel) -> Layout:
    return Layout(mechanism.cells)


def _set(mechanism: TwoLevel) -> Layout:
    return Layout(mechanism.cells, mechanism.marks, in_list=True)


def _threshold(mechanism: RandomThreshold) -> Layout:
    return Layout(mechanism.top, least=1, with_bit=True)


def _checks(mechanism: SampledChecks) -> Layout:
    return Layout(mechanism.options, mechanism.asked, in_list=True, with_bit=True)


# The layout of a published mechanism's reports, by the mechanism's name.
LAYOUTS: dict[str, Callable[[Any], Layout]] = {
    RandomizedResponse.name: _number,
    SubsetSelection.name: _set,
    HadamardResponse.name: _number,
    SampledChecks.name: _checks,
    PrivateSet.name: _set,
    RandomThreshold.name: _threshold,
    SlidingWindow.name: _number,
}


def layout_of(mechanism: TwoLevel) -> Layout:
    """Return how the reports of a mechanism are laid out."""
    return LAYOUTS[mechanism.name](mechanism)
