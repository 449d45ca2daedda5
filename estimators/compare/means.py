"""Means of scores in two or more groups: Welch's t and Welch's F (math 14)."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from estimators.compare.samples import Outcome, Sample, t_quantile
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import Interval

WELCH, WELCH_F = "welch_t", "welch_f"


def satterthwaite(first: Sample, second: Sample) -> float:
    """Return the degrees of freedom of a difference whose two variances are estimated."""
    parts = (first.variance, second.variance)
    if sum(parts) == 0:
        return float(first.n + second.n - 2)
    spent = parts[0] ** 2 / (first.n - 1) + parts[1] ** 2 / (second.n - 1)
    return sum(parts) ** 2 / spent


def welch_test(first: Sample, second: Sample) -> Outcome:
    """Test whether two groups have the same mean, whatever their variances."""
    error = math.sqrt(first.variance + second.variance)
    difference, df = first.value - second.value, satterthwaite(first, second)
    t = _over(difference, error)
    return Outcome(WELCH, t, 2 * float(special.stdtr(df, -abs(t))), df)


def welch_interval(first: Sample, second: Sample, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of the difference of two means."""
    error = math.sqrt(first.variance + second.variance)
    half = t_quantile(confidence, satterthwaite(first, second)) * error
    difference = first.value - second.value
    return Interval(difference - half, difference + half)


def welch_f(samples: Sequence[Sample]) -> Outcome:
    """Test whether several groups have the same mean, whatever their variances (Welch 1951)."""
    groups = len(samples)
    values = np.array([sample.value for sample in samples])
    variances = np.array([sample.variance for sample in samples])
    if not (variances > 0).all():
        # A group without spread has an infinite weight: only equal means are compatible.
        same = bool(np.ptp(values) == 0)
        return Outcome(WELCH_F, 0.0 if same else math.inf, float(same), float(groups - 1), math.inf)
    weights = 1 / variances
    total = weights.sum()
    middle = weights @ values / total
    free = np.array([sample.n - 1 for sample in samples])
    rest = float(((1 - weights / total) ** 2 / free).sum())
    between = float(weights @ (values - middle) ** 2) / (groups - 1)
    f = between / (1 + 2 * (groups - 2) / (groups**2 - 1) * rest)
    df, second_df = float(groups - 1), (groups**2 - 1) / (3 * rest)
    return Outcome(WELCH_F, f, float(special.fdtrc(df, second_df, f)), df, second_df)


def _over(difference: float, error: float) -> float:
    if error > 0:
        return difference / error
    return math.copysign(math.inf, difference) if difference else 0.0
