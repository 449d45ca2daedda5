"""Whether the answers to two questions are independent of each other (math 15)."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from estimators.cross.joint import Joint, excess_slope, margin_sums
from estimators.cross.pairs import Pairs
from estimators.shares.choices import ChoiceEstimates
from estimators.shares.spread import Array

# Eigenvalues below this part of the largest one are rounding errors.
ROUNDING = 1e-9
# Margins are taken as at least this large where the covariance under independence is computed.
LEAST_MARGIN = 1e-4


@dataclass(frozen=True)
class ChiSquare:
    """A chi-square test of independence. The p-value is None if there is nothing to test."""

    statistic: float
    df: int
    p_value: float | None


def chi_square(statistic: float, df: int) -> ChiSquare:
    """Return the test with the chance that a chi-square variable exceeds the statistic."""
    if df == 0:
        return ChiSquare(0.0, 0, None)
    return ChiSquare(statistic, df, float(special.chdtrc(df, max(statistic, 0.0))))


def independence_of_pairs(pairs: Pairs) -> ChiSquare:
    """Return X2 = n tr(S1^- T S2^- T') with the covariances of the scores and their ranks.

    Independent answers have independent reports, so this holds for every pair of mechanisms. If
    both reports are one of several options, it is Pearson's chi-square on the reports. Boxes that
    no report holds together are tested one by one, and their statistics added.
    """
    tests = [_test(block) for block in _blocks(pairs)]
    return chi_square(sum(test.statistic for test in tests), sum(test.df for test in tests))


def _blocks(pairs: Pairs) -> list[Pairs]:
    """Return the parts to test one by one."""
    if _is_one_box(pairs.asked[0]):
        boxes = range(pairs.first.shape[1])
        return [block for box in boxes for block in _blocks(_about(pairs, box))]
    if _is_one_box(pairs.asked[1]):
        return _blocks(Pairs(pairs.counts.T, pairs.second, pairs.first))
    return [pairs]


def _is_one_box(asked: Array) -> bool:
    """Whether there are several boxes and every report is about one of them."""
    return asked.shape[1] > 1 and bool((asked.sum(axis=1) == 1).all())


def _about(pairs: Pairs, box: int) -> Pairs:
    """Return the reports about one box of the first question."""
    rows = pairs.asked[0][:, box] > 0
    return Pairs(pairs.counts[rows], pairs.first[rows][:, [box]], pairs.second)


def _test(pairs: Pairs) -> ChiSquare:
    if pairs.n == 0:
        return chi_square(0.0, 0)
    (one, other), (asked, others) = pairs.filled, pairs.asked
    first, rank = _standardized(one, asked, np.asarray(pairs.counts.sum(axis=1)))
    second, other_rank = _standardized(other, others, np.asarray(pairs.counts.sum(axis=0)))
    together = pairs.sums(first, second) / pairs.n
    return chi_square(pairs.n * float((together**2).sum()), rank * other_rank)


def _standardized(scores: Array, asked: Array, counts: Array) -> tuple[Array, int]:
    """Return uncorrelated combinations of the scores with variance one, and how many there are.

    A report that is not about a label counts as average for it, which is right whatever the truth.
    """
    counts = counts.ravel()
    about = np.maximum(counts @ asked, 1.0)
    centred = asked * (scores - counts @ scores / about)
    spread = (centred * counts[:, None]).T @ centred / counts.sum()
    root, rank = _inverse_root(spread)
    return centred @ root, rank


def _inverse_root(spread: Array) -> tuple[Array, int]:
    """Return R with R R' the pseudo-inverse of a covariance, and the rank of both."""
    values, vectors = np.linalg.eigh(spread)
    kept = values > ROUNDING * max(float(values[-1]), 1e-12)
    return vectors[:, kept] / np.sqrt(values[kept]), int(kept.sum())


def independence_of_cells(estimates: ChoiceEstimates, rows: int, columns: int) -> ChiSquare:
    """Return X2 = d'(J C0 J')^- d for one question whose first options are the cells.

    d is the excess of the cells over the products of their margins, J its derivative, and C0 the
    covariance of the cells if they were these products. Further options mean silence; the table is
    then about those who answered.
    """
    size = rows * columns
    silence = np.clip(estimates.shares[size:], 0.0, 1.0)
    cells = estimates.shares[:size].reshape(rows, columns)
    answered = 1 - float(silence.sum())
    total = float(cells.sum())
    if not (answered > 0 and total > 0):
        return chi_square(0.0, 0)
    cells = cells / total
    row, column = _possible(cells.sum(axis=1)), _possible(cells.sum(axis=0))
    excess = (cells - np.outer(cells.sum(axis=1), cells.sum(axis=0))).ravel()
    expected = np.outer(row, column).ravel()
    slope = excess_slope(row, column) @ margin_sums(rows, columns)
    slope = slope @ (np.eye(size) - np.outer(expected, np.ones(size))) / answered
    truth = np.concatenate((answered * expected, silence))
    noise = estimates.channel.noise_times(truth, np.eye(len(truth)))
    whole = (noise + np.diag(truth) - np.outer(truth, truth))[:size, :size] / estimates.n
    root, rank = _inverse_root(slope @ whole @ slope.T)
    return chi_square(float(((excess @ root) ** 2).sum()), min(rank, (rows - 1) * (columns - 1)))


def _possible(margins: Array) -> Array:
    """Return margins of at least LEAST_MARGIN that sum to one."""
    clipped: Array = np.maximum(margins, LEAST_MARGIN)
    return clipped / float(clipped.sum())


def independence_of_joint(joint: Joint) -> ChiSquare:
    """Return the squared excess over its variance, for two yes/no answers in the same report."""
    variance = joint.variance(joint.excess_slope[-1])
    if variance == 0:
        return chi_square(0.0, 0)
    return chi_square(float(joint.excess[-1, -1]) ** 2 / variance, 1)
