"""A score: an estimated number in its own unit, with both of its errors (math 0.5)."""

import math
from dataclasses import dataclass

from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import Interval, normal_quantile


@dataclass(frozen=True)
class Score:
    """The estimate of a linear target: a difference, a mean, a top-two box.

    Both variances are unbiased estimates and so may be negative. `noise_error` is the standard
    error at the nearest possible truth, and never below what the randomizer is known to add.
    """

    value: float
    noise_variance: float
    sampling_variance: float
    noise_error: float

    @property
    def method(self) -> str:
        """The name of the method for its intervals."""
        return "normal"

    @property
    def is_known(self) -> bool:
        """Whether the value has a meaning: a mean of those who answered needs somebody who did."""
        return True

    @property
    def sampling_error(self) -> float:
        """The sample's part of the standard error; 0 where its variance estimate is negative."""
        return math.sqrt(max(self.sampling_variance, 0.0))

    @property
    def standard_error(self) -> float:
        """The standard error of a statement about the population."""
        return math.hypot(self.noise_error, self.sampling_error)

    @property
    def whole_error(self) -> float:
        """The square root of both variances together, as they are estimated."""
        return math.sqrt(max(self.noise_variance + self.sampling_variance, 0.0))

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval for the population from which the respondents come."""
        return self._within(self.standard_error, confidence)

    def respondents_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval for these very respondents: only the randomizer is random."""
        return self._within(self.noise_error, confidence)

    def _within(self, error: float, confidence: float) -> Interval:
        half = normal_quantile(confidence) * error
        return Interval(self.value - half, self.value + half)

    def scaled(self, factor: float, offset: float = 0.0) -> "Score":
        """Return the score in another unit: offset + factor times this one."""
        return Score(
            offset + factor * self.value,
            factor**2 * self.noise_variance,
            factor**2 * self.sampling_variance,
            abs(factor) * self.noise_error,
        )
