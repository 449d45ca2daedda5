"""The errors that the formulas promise for a known truth, to compare a simulation with."""

import math

import numpy as np

from client.core.primitives.domain import Levels
from client.core.question import Question
from estimators.mechanisms import analysis_of
from estimators.shares.spread import Array, sampling_per_respondent


def value_of_levels(question: Question) -> Array | None:
    """Return what the levels of a question stand for; None if shares are estimated.

    Options for silence stand for no number and are left out.
    """
    grid, domain = question.kind.grid, question.mechanism.domain
    if grid is None or not isinstance(domain, Levels):
        return None
    return float(grid.lo) + float(grid.step) * np.arange(domain.top + 1, dtype=np.float64)


def promised_variances(
    question: Question, shares: Array, n: int, size: int | None = None
) -> tuple[Array, Array]:
    """Return (noise, sampling) variances of every share, or of the mean, from n reports.

    If `size` people answer once each, a part of them varies less than a sample with replacement,
    and all of them do not vary at all (math 0.5).
    """
    part = 1.0 if size is None else (size - n) / max(size - 1, 1)
    noise = analysis_of(question.mechanism).promised_noise(shares, n)
    values = value_of_levels(question)
    if values is None:
        return noise / n, part * sampling_per_respondent(shares) / n
    levels = shares[: len(values)]
    answered, mean = float(levels.sum()), mean_of_levels(values, shares)
    spread = float(levels @ (values - mean) ** 2) / (answered or math.nan) ** 2
    step = float(values[1] - values[0])
    return step**2 * noise / n, np.array([part * spread / n])


def mean_of_levels(values: Array, shares: Array) -> float:
    """Return the mean of those who gave a level; NaN if nobody did."""
    levels = shares[: len(values)]
    # Where everybody answers, rounding must not make the sum anything but 1.
    answered = 1.0 if len(levels) == len(shares) else float(levels.sum())
    return float(levels @ values) / (answered or math.nan)
