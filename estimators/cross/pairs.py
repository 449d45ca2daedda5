"""How often each pair of reports occurs, and the moments of the products of their scores.

Rows are many and distinct pairs of reports are few. So rows are only counted, and all figures come
from matrix products with the counts (math 15).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from estimators.columns.randomized import NOT_ASKED, Codes
from estimators.shares.spread import Array

# Up to this many pairs of distinct reports are counted in a full matrix, more in a sparse one.
MOST_FULL = 4_000_000
# The products of scores of this many reports are in memory at once.
AT_ONCE = 20_000_000


@dataclass(frozen=True)
class Pairs:
    """The reports that answer both questions.

    `counts` has a row per distinct report of the first question and a column per distinct report of
    the second one. `first` and `second` are the scores of these reports, with a column per label;
    NaN if the report is not about the label.
    """

    counts: Any
    first: Array
    second: Array

    @cached_property
    def n(self) -> int:
        return round(float(self.counts.sum()))

    @cached_property
    def asked(self) -> tuple[Array, Array]:
        """1 if the report is about the label, else 0, for both questions."""
        return (~np.isnan(self.first)).astype(float), (~np.isnan(self.second)).astype(float)

    @cached_property
    def filled(self) -> tuple[Array, Array]:
        """The scores, 0 where a report is not about the label."""
        return np.nan_to_num(self.first), np.nan_to_num(self.second)

    def sums(self, left: Array, right: Array) -> Array:
        """Sum the products of two figures over all reports: a row and a column per figure."""
        return np.asarray(left.T @ (self.counts @ right))

    def fewest_in_support(self, is_number: bool) -> float:
        """Return the reports that support both labels of a cell, in the cell with the fewest.

        A score above 0 supports its label. A number as the second question has no labels.
        """
        one, other = self.filled
        columns = self.asked[1] if is_number else (other > 0).astype(float)
        return float(self.sums((one > 0).astype(float), columns).min())

    def product_sums(self, left: Array, right: Array) -> Array:
        """Sum the products of four figures, two of each side, over all reports.

        Return an array with the axes (u, w, u', w') of left_u right_w left_u' right_w'.
        """
        squares = _squares(right)
        step = max(1, AT_ONCE // left.shape[1] ** 2)
        total: Array = sum(
            _squares(left[part]).T @ np.asarray(self.counts[part] @ squares)
            for part in (slice(at, at + step) for at in range(0, len(left), step))
        )
        rows, columns = (_places(figures.shape[1]) for figures in (left, right))
        found: Array = total[rows[:, None, :, None], columns[None, :, None, :]]
        return found


def _squares(scores: Array) -> Array:
    """Return the products of all pairs of columns, each pair once, in each row."""
    first, second = np.triu_indices(scores.shape[1])
    found: Array = scores[:, first] * scores[:, second]
    return found


def _places(size: int) -> NDArray[np.int64]:
    """Return for every pair of columns its place among the pairs."""
    first, second = np.triu_indices(size)
    places = np.zeros((size, size), dtype=np.int64)
    places[first, second] = places[second, first] = np.arange(len(first))
    return places


def count_pairs(codes: Codes, others: Codes, shape: tuple[int, int]) -> Any:
    """Count the rows with each pair of reports; rows without both are left out."""
    rows, columns = shape
    both = (codes != NOT_ASKED) & (others != NOT_ASKED)
    if not both.all():
        codes, others = codes[both], others[both]
    if rows * columns <= MOST_FULL:
        flat = np.bincount(codes * columns + others, minlength=rows * columns)
        return flat.reshape(shape).astype(np.float64)
    found = sparse.coo_array((np.ones(len(codes)), (codes, others)), shape=shape)
    return found.tocsr()
