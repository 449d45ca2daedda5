"""One figure of a simulated survey: what was found beside what the formulas promise."""

import math
from dataclasses import dataclass, field

import numpy as np

from estimators.spread import Array

MEAN = "mean"


@dataclass(frozen=True)
class Study:
    """One estimated figure over all repeats: what was found beside what the formulas promise.

    `errors` are estimate minus the population's truth, `noise_errors` estimate minus the truth
    among the respondents whom that repeat asked the question. Figures are NaN where no repeat had
    an estimate.
    """

    label: str
    truth: float
    promised_error: float
    promised_noise_error: float
    confidence: float
    errors: Array = field(default_factory=lambda: np.zeros(0))
    noise_errors: Array = field(default_factory=lambda: np.zeros(0))
    covered: int = 0

    @property
    def repeats(self) -> int:
        return len(self.errors)

    @property
    def mean_estimate(self) -> float:
        return self.truth + self.bias

    @property
    def bias(self) -> float:
        return _average(self.errors)

    @property
    def bias_error(self) -> float:
        """The standard error that the bias has by chance alone."""
        return self.promised_error / math.sqrt(self.repeats or math.nan)

    @property
    def rmse(self) -> float:
        """Root mean square error about the population: to be compared with promised_error."""
        return math.sqrt(_average(self.errors**2))

    @property
    def noise_rmse(self) -> float:
        """The same about the respondents: to be compared with promised_noise_error."""
        return math.sqrt(_average(self.noise_errors**2))

    @property
    def coverage(self) -> float:
        """How often the interval held the population's truth."""
        return self.covered / (self.repeats or math.nan)

    @property
    def coverage_error(self) -> float:
        """The Monte Carlo error of the coverage if the interval keeps its promise."""
        return math.sqrt(self.confidence * (1 - self.confidence) / (self.repeats or math.nan))


def _average(values: Array) -> float:
    return math.fsum(values) / (len(values) or math.nan)
