"""How strongly two questions go together: phi, odds ratio, Cramer's V (math 15)."""

import math
from dataclasses import dataclass

import numpy as np

from estimators.cross.joint import Joint
from estimators.shares.spread import Array

# A smaller margin is taken as this large, so that an empty row does not decide V alone.
LEAST_MARGIN = 0.001
# V has an error only if it is more than this many errors away from 0.
CLEAR = 2.0


@dataclass(frozen=True)
class Strength:
    """A measure of association; error and interval are None where they would not hold."""

    value: float
    standard_error: float | None
    low: float | None
    high: float | None


def phi(joint: Joint, z: float) -> Strength | None:
    """Return the correlation of two yes/no answers; None if a margin is not between 0 and 1.

    phi = (cell - row column) / sqrt(row (1-row) column (1-column)), of the last row and column.
    """
    row, column = float(joint.rows[-1]), float(joint.columns[-1])
    if not (0 < row < 1 and 0 < column < 1):
        return None
    scale = math.sqrt(row * (1 - row) * column * (1 - column))
    value = float(joint.excess[-1, -1]) / scale
    slope = np.zeros(len(joint.covariance))
    slope[3] = 1 / scale
    slope[5] = -column / scale - value * (1 - 2 * row) / (2 * row * (1 - row))
    slope[7] = -row / scale - value * (1 - 2 * column) / (2 * column * (1 - column))
    error = math.sqrt(joint.variance(slope))
    return Strength(value, error, _cut(value - z * error), _cut(value + z * error))


def _cut(value: float) -> float:
    return min(max(value, -1.0), 1.0)


def log_odds_ratio(joint: Joint, z: float) -> Strength | None:
    """Return ln(p11 p22 / (p12 p21)); None unless all four cells are above 0."""
    cells = joint.cells.ravel()
    if not (cells > 0).all():
        return None
    signs = np.array([1.0, -1.0, -1.0, 1.0])
    slope = np.concatenate((signs / cells, np.zeros(4)))
    value, error = float(signs @ np.log(cells)), math.sqrt(joint.variance(slope))
    return Strength(value, error, value - z * error, value + z * error)


def cramers_v(joint: Joint, z: float) -> Strength:
    """Return Cramer's V without the part that noise adds to its square.

    V^2 = sum (d^2 - D) / (row column) / (min(k1, k2) - 1), with d the excess of a cell and D its
    variance, cut at 1. The error holds only if V is clearly above 0 and not above 1; else error and
    interval are None.
    """
    rows, columns = (np.maximum(margin, LEAST_MARGIN) for margin in (joint.rows, joint.columns))
    expected = np.outer(rows, columns)
    slope = joint.excess_slope
    noise = np.einsum("cf,fg,cg->c", slope, joint.covariance, slope).reshape(joint.shape)
    most = min(joint.shape) - 1
    square = float(((joint.excess**2 - noise) / expected).sum()) / most
    value = math.sqrt(max(square, 0.0))
    if value == 0:
        return Strength(0.0, None, None, None)
    error = math.sqrt(joint.variance(_square_slope(joint, expected) / most)) / (2 * value)
    # Beyond 1, or without any error, the reports are too few for this expansion.
    if value > 1 or not 0 < CLEAR * error < value:
        return Strength(min(value, 1.0), None, None, None)
    return Strength(value, error, max(value - z * error, 0.0), min(value + z * error, 1.0))


def _square_slope(joint: Joint, expected: Array) -> Array:
    """Return the derivative of sum d^2 / (row column) by cells and margins."""
    by_excess = (2 * joint.excess / expected).ravel() @ joint.excess_slope
    weighted = joint.excess**2 / expected
    size = joint.cells.size
    above = [margin > LEAST_MARGIN for margin in (joint.rows, joint.columns)]
    with np.errstate(divide="ignore", invalid="ignore"):
        by_row = np.where(above[0], -weighted.sum(axis=1) / joint.rows, 0.0)
        by_column = np.where(above[1], -weighted.sum(axis=0) / joint.columns, 0.0)
    by_margin = np.concatenate((np.zeros(size), by_row, by_column))
    found: Array = by_excess + by_margin
    return found
