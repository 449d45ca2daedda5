"""Turn arrays of figures into the cells, margins and means of a result."""

from collections.abc import Sequence

import numpy as np

from estimators.cross.cells import Cells, answered_means
from estimators.cross.joint import Joint
from estimators.cross.pairs import Pairs
from estimators.cross.table import Cell, Estimate, GroupMean, Margin, Ratio
from estimators.shares.spread import Array


def table_cells(
    cells: Cells, rows: Sequence[str], columns: Sequence[str], z: float
) -> tuple[Cell, ...]:
    """Return every cell with its shares, row by row."""
    row_shares, column_shares = cells.row_shares(z), cells.column_shares(z)
    return tuple(
        Cell(
            row,
            column,
            int(cells.n[i, j]),
            _estimate(cells.value[i, j], cells.error[i, j], z),
            _ratio(row_shares.value[i, j], row_shares.low[i, j], row_shares.high[i, j]),
            _ratio(column_shares.value[i, j], column_shares.low[i, j], column_shares.high[i, j]),
        )
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    )


def table_means(cells: Cells, rows: Sequence[str], z: float) -> tuple[GroupMean, ...]:
    """Return the mean of a number, which is the only column, in every row."""
    found = cells.row_shares(z)
    return tuple(
        GroupMean(row, _ratio(found.value[i, 0], found.low[i, 0], found.high[i, 0]))
        for i, row in enumerate(rows)
    )


def answered_means_of(
    pairs: Pairs, rows: Sequence[str], z: float
) -> tuple[tuple[GroupMean, ...], Estimate]:
    """Return the mean of those who answered in every row, and of all of them."""
    found, _ = answered_means(pairs, z)
    means = tuple(
        GroupMean(row, _ratio(found.value[i, 0], found.low[i, 0], found.high[i, 0]))
        for i, row in enumerate(rows)
    )
    everybody = Pairs(pairs.counts, np.ones((len(pairs.first), 1)), pairs.second)
    whole, errors = answered_means(everybody, z)
    figures = [float(part[0, 0]) for part in (whole.value, errors, whole.low, whole.high)]
    if not np.isfinite(figures).all():
        return means, Estimate(None, None, None, None)
    return means, Estimate(*figures)


def joint_margins(
    joint: Joint, rows: Sequence[str], columns: Sequence[str], z: float
) -> tuple[tuple[Margin, ...], tuple[Margin, ...]]:
    """Return the margins of a table whose covariance is known as a whole."""
    errors = np.sqrt(np.maximum(np.diag(joint.covariance)[joint.cells.size :], 0.0))
    first, second = np.split(errors, [len(joint.rows)])
    return _margins(rows, joint.rows, first, z), _margins(columns, joint.columns, second, z)


def pair_margins(
    pairs: Pairs, rows: Sequence[str], columns: Sequence[str], z: float
) -> tuple[tuple[Margin, ...], tuple[Margin, ...]]:
    """Return the margins of pairs of reports, each from the reports that are about it."""
    found = []
    for axis, labels in ((0, rows), (1, columns)):
        counts = np.asarray(pairs.counts.sum(axis=1 - axis)).ravel()
        scores, asked = pairs.filled[axis], pairs.asked[axis]
        about = counts @ asked
        n = np.where(about > 1, about, np.nan)
        values = counts @ scores / n
        variances = (counts @ scores**2 / n - values**2) / (n - 1)
        found.append(_margins(labels, values, np.sqrt(np.maximum(variances, 0.0)), z))
    first, second = found
    return first, second


def _margins(labels: Sequence[str], values: Array, errors: Array, z: float) -> tuple[Margin, ...]:
    return tuple(
        Margin(label, _estimate(value, error, z))
        for label, value, error in zip(labels, values, errors, strict=True)
    )


def _estimate(value: float, error: float, z: float) -> Estimate:
    if not np.isfinite(value + error):
        return Estimate(None, None, None, None)
    return Estimate(float(value), float(error), float(value - z * error), float(value + z * error))


def _ratio(value: float, low: float, high: float) -> Ratio:
    if not np.isfinite(value + low + high):
        return Ratio(None, None, None)
    return Ratio(float(value), float(low), float(high))
