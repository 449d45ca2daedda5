"""A table of joint shares with its margins, and the covariance of all of them (math 15)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.primitives.refusal import require
from estimators.cross.pairs import Pairs
from estimators.shares.choices import ChoiceEstimates
from estimators.shares.spread import Array

# Nobody reads a larger table, and its covariance has a million entries.
MOST_CELLS = 1_024


@dataclass(frozen=True)
class Joint:
    """Estimated cells and margins of n reports.

    `covariance` is that of the cells, row by row, then of the row margins, then of the column
    margins. The margins are estimates of their own: cells add up to them only if every report's
    scores add up to one.
    """

    n: int
    cells: Array
    rows: Array
    columns: Array
    covariance: Array

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    @cached_property
    def excess(self) -> Array:
        """The cells minus the products of their margins, 0 if the answers are independent."""
        found: Array = self.cells - np.outer(self.rows, self.columns)
        return found

    @cached_property
    def excess_slope(self) -> Array:
        """The derivative of the excess, a row per cell, by the cells and the margins."""
        return excess_slope(self.rows, self.columns)

    def variance(self, slope: Array) -> float:
        """Return the variance of a figure with this derivative, by its first-order expansion."""
        return max(float(slope @ self.covariance @ slope), 0.0)

    def scaled(self, total: float, slope: Array) -> "Joint":
        """Return the shares among the part `total`, whose derivative by all figures is `slope`."""
        values = np.concatenate((self.cells.ravel(), self.rows, self.columns)) / total
        change = (np.eye(len(values)) - np.outer(values, slope)) / total
        cells, rows, columns = np.split(values, (self.cells.size, self.cells.size + len(self.rows)))
        return Joint(
            self.n,
            cells.reshape(self.shape),
            rows,
            columns,
            change @ self.covariance @ change.T,
        )


def excess_slope(rows: Array, columns: Array) -> Array:
    """Return the derivative of cell - row x column, a row per cell, by cells and margins."""
    by_row = -np.kron(np.eye(len(rows)), columns[:, None])
    by_column = -np.kron(rows[:, None], np.eye(len(columns)))
    return np.hstack((np.eye(len(rows) * len(columns)), by_row, by_column))


def joint_of_pairs(pairs: Pairs) -> Joint:
    """Estimate the table from pairs of reports: means of products of scores."""
    first, second = (np.column_stack((np.ones(len(part)), part)) for part in pairs.filled)
    rows, columns = first.shape[1] - 1, second.shape[1] - 1
    check_size(rows, columns)
    n = pairs.n
    means = pairs.sums(first, second) / n
    squares = pairs.product_sums(first, second) / n
    size = (rows + 1) * (columns + 1)
    whole = squares.reshape(size, size) - np.outer(means, means)
    # A constant column of ones makes the margins a row and a column of the products.
    places = np.arange(size).reshape(rows + 1, columns + 1)
    order = np.concatenate((places[1:, 1:].ravel(), places[1:, 0], places[0, 1:]))
    return Joint(
        n, means[1:, 1:], means[1:, 0], means[0, 1:], whole[np.ix_(order, order)] / max(n - 1, 1)
    )


def joint_of_boxes(counts: Array, both: Array, boxes: Array) -> Joint:
    """Estimate the table of two boxes from scores of "both are ticked" and of each of them.

    `counts` says how many reports have each row of scores.
    """
    n = round(float(counts.sum()))
    scores = np.column_stack((both, boxes))
    means = counts @ scores / n
    spread = (scores * counts[:, None]).T @ scores / n - np.outer(means, means)
    # Cells (neither, only the second, only the first, both), then rows, then columns.
    change = np.array(
        [
            [1, -1, -1],
            [-1, 0, 1],
            [-1, 1, 0],
            [1, 0, 0],
            [0, -1, 0],
            [0, 1, 0],
            [0, 0, -1],
            [0, 0, 1],
        ],
    )
    start = np.array([1, 0, 0, 0, 1, 0, 1, 0])
    values = start + change @ means
    return Joint(
        n,
        values[:4].reshape(2, 2),
        values[4:6],
        values[6:],
        change @ spread @ change.T / max(n - 1, 1),
    )


def joint_of_cells(estimates: ChoiceEstimates, rows: int, columns: int) -> Joint:
    """Estimate the table from one question whose first options are the cells, row by row."""
    check_size(rows, columns)
    size = rows * columns
    cells = estimates.shares[:size].reshape(rows, columns)
    sums = margin_sums(rows, columns)
    return Joint(
        estimates.n,
        cells,
        cells.sum(axis=1),
        cells.sum(axis=0),
        sums @ estimates.covariance().population[:size, :size] @ sums.T,
    )


def margin_sums(rows: int, columns: int) -> Array:
    """Return the matrix that makes cells and both margins out of the cells."""
    by_row = np.kron(np.eye(rows), np.ones(columns))
    by_column = np.kron(np.ones(rows), np.eye(columns))
    return np.vstack((np.eye(rows * columns), by_row, by_column))


def check_size(rows: int, columns: int) -> None:
    """Raise if the table has more cells than anybody reads."""
    require(
        rows * columns <= MOST_CELLS,
        "too_many_cells.cross",
        rows=rows,
        columns=columns,
        most=MOST_CELLS,
    )
