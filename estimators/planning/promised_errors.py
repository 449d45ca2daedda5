"""The errors that the formulas promise when the truth is known, to hold a simulation against."""

import numpy as np

from client.authoring.draft.mechanism_choice import random_threshold_noise, sliding_window_noise
from client.core.kinds import Number, Scale
from client.core.mechanisms import (
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    Supporting,
    TwoLevel,
)
from client.core.question import Question
from estimators.ordinal.thresholds import LEAST_PER_THRESHOLD
from estimators.shares.spread import Array, noise_per_respondent, sampling_per_respondent


def value_of_levels(question: Question) -> Array | None:
    """What the levels of a question stand for; None where shares of options are estimated."""
    if isinstance(question.mechanism, Supporting) and not isinstance(
        question.mechanism, RandomThreshold
    ):
        return None
    assert isinstance(question.kind, Scale | Number)
    assert isinstance(question.mechanism, RandomThreshold | SlidingWindow)
    levels = np.arange(question.mechanism.top + 1, dtype=np.float64)
    return float(question.kind.lo) + float(question.kind.step) * levels


def promised_variances(
    question: Question, shares: Array, n: int, size: int | None = None
) -> tuple[Array, Array]:
    """(noise, sampling): of every option's share, or of the mean alone, from n reports.

    Where `size` people answer once each, a part of them varies less than a sample with
    replacement, and all of them not at all (math 0.5).
    """
    part = 1.0 if size is None else (size - n) / max(size - 1, 1)
    values = value_of_levels(question)
    if values is None:
        noise = _share_noise(question.mechanism, shares)
        return noise / n, part * sampling_per_respondent(shares) / n
    spread = float(shares @ values**2 - (shares @ values) ** 2)
    step = float(values[1] - values[0])
    levels = _mean_noise(question.mechanism, shares, n)
    return np.array([step**2 * levels / n]), np.array([part * spread / n])


def _share_noise(mechanism: TwoLevel, shares: Array) -> Array:
    """Of n times the noise variance of every share (math 0.5, 3)."""
    assert isinstance(mechanism, Supporting)
    noise = noise_per_respondent(shares, float(mechanism.p), float(mechanism.q))
    if not isinstance(mechanism, SampledChecks):
        return noise
    asked = mechanism.asked / mechanism.options
    return (noise + (1 - asked) * sampling_per_respondent(shares)) / asked


def _mean_noise(mechanism: TwoLevel, shares: Array, n: int) -> float:
    """Of n times the noise variance of the mean level (math 4, 5.2, 5.3)."""
    if isinstance(mechanism, SlidingWindow):
        noise = [sliding_window_noise(mechanism, level) for level in range(mechanism.top + 1)]
        return float(shares @ np.array(noise))
    assert isinstance(mechanism, RandomThreshold)
    if n < LEAST_PER_THRESHOLD * mechanism.top:
        noise = [random_threshold_noise(mechanism, level) for level in range(mechanism.top + 1)]
        return float(shares @ np.array(noise))
    p, q = float(mechanism.p), float(mechanism.q)
    reached = q + (p - q) * np.cumsum(shares[::-1])[:-1]
    levels = np.arange(mechanism.top + 1)
    spread = float(shares @ levels**2 - (shares @ levels) ** 2)
    return mechanism.top * float((reached * (1 - reached)).sum()) / (p - q) ** 2 - spread
