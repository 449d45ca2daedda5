"""The cells of a table one by one: each with the margins of the reports that it comes from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from estimators.cross.joint import Joint
from estimators.cross.pairs import Pairs
from estimators.shares.ratios import Ratios, fieller
from estimators.shares.spread import Array


@dataclass(frozen=True)
class Cells:
    """Arrays with a row per row of the table and a column per column of it.

    `row` and `column` are the margins of a cell among the reports that are about the cell. Boxes
    are not all in the same reports, so they differ from cell to cell. All variances and covariances
    are those of the estimates. Figures of a cell with fewer than two reports are NaN.
    """

    n: Array
    value: Array
    variance: Array
    row: Array
    row_variance: Array
    with_row: Array
    column: Array
    column_variance: Array
    with_column: Array

    @cached_property
    def error(self) -> Array:
        found: Array = np.sqrt(np.maximum(self.variance, 0.0))
        return found

    def row_shares(self, z: float) -> Ratios:
        """Return each cell's part of its row: P(column | row)."""
        return fieller(self.value, self.row, self.variance, self.row_variance, self.with_row, z)

    def column_shares(self, z: float) -> Ratios:
        """Return each cell's part of its column: P(row | column), or a mean given the column."""
        return fieller(
            self.value, self.column, self.variance, self.column_variance, self.with_column, z
        )


def cells_of_pairs(pairs: Pairs) -> Cells:
    """Estimate every cell from the reports that are about its row and its column."""
    (one, other), (asked, others) = pairs.filled, pairs.asked
    n = pairs.sums(asked, others)
    several = np.where(n > 1, n, np.nan)
    value = pairs.sums(one, other) / several
    row = pairs.sums(one, others) / several
    column = pairs.sums(asked, other) / several

    def covariance(products: Array, means: Array, others: Array) -> Array:
        found: Array = (products / several - means * others) / (several - 1)
        return found

    return Cells(
        n,
        value,
        covariance(pairs.sums(one**2, other**2), value, value),
        row,
        covariance(pairs.sums(one**2, others), row, row),
        covariance(pairs.sums(one**2, other), value, row),
        column,
        covariance(pairs.sums(asked, other**2), column, column),
        covariance(pairs.sums(one, other**2), value, column),
    )


def answered_means(pairs: Pairs, z: float) -> tuple[Ratios, Array]:
    """Return the mean of a number in every row, among those who answered, and its errors.

    The second question has two columns: scores of the number, 0 for silence, and of "answered".
    The errors are those of the ratios' linear form (math 5.5).
    """
    (one, other), (asked, _) = pairs.filled, pairs.asked
    number, answered = other[:, :1], other[:, 1:]
    n = pairs.sums(asked, np.ones((len(other), 1)))
    several = np.where(n > 1, n, np.nan)
    part, base = (pairs.sums(one, scores) / several for scores in (number, answered))

    def covariance(scores: Array, means: Array, others: Array) -> Array:
        found: Array = (pairs.sums(one**2, scores) / several - means * others) / (several - 1)
        return found

    own = covariance(number**2, part, part)
    share = covariance(answered**2, base, base)
    both = covariance(number * answered, part, base)
    found = fieller(part, base, own, share, both, z)
    ratio = found.value
    errors = np.sqrt(np.maximum(own - 2 * ratio * both + ratio**2 * share, 0.0)) / base
    return found, errors


def cells_of_joint(joint: Joint) -> Cells:
    """Return every cell of a table whose covariance is known as a whole."""
    rows, columns = joint.shape
    size = rows * columns
    cells = np.arange(size).reshape(rows, columns)
    row = np.repeat(size + np.arange(rows)[:, None], columns, axis=1)
    column = np.repeat(size + rows + np.arange(columns)[None, :], rows, axis=0)
    return Cells(
        np.full((rows, columns), float(joint.n)),
        joint.cells,
        joint.covariance[cells, cells],
        np.repeat(joint.rows[:, None], columns, axis=1),
        joint.covariance[row, row],
        joint.covariance[cells, row],
        np.repeat(joint.columns[None, :], rows, axis=0),
        joint.covariance[column, column],
        joint.covariance[cells, column],
    )
