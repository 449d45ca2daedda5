"""One figure of a simulated survey: what was found and what the formulas promise."""

import math
from dataclasses import dataclass

MEAN = "mean"


@dataclass(frozen=True)
class Study:
    """One estimated figure over all repeats: what was found and what the formulas promise.

    `errors` and `squared_errors` are sums over the repeats of the estimate minus the population's
    truth. `squared_noise_errors` sums the squares of the estimate minus the truth among the
    respondents of that repeat. Figures are NaN if no repeat had an estimate.
    """

    label: str
    truth: float
    promised_error: float
    promised_noise_error: float
    confidence: float
    repeats: int = 0
    errors: float = 0.0
    squared_errors: float = 0.0
    squared_noise_errors: float = 0.0
    covered: int = 0

    @property
    def mean_estimate(self) -> float:
        return self.truth + self.bias

    @property
    def bias(self) -> float:
        return self._average(self.errors)

    @property
    def bias_error(self) -> float:
        """The standard error of the bias, by chance alone."""
        return math.sqrt(self._average(self.promised_error**2))

    @property
    def rmse(self) -> float:
        """The root mean square error about the population, against promised_error."""
        return math.sqrt(self._average(self.squared_errors))

    @property
    def noise_rmse(self) -> float:
        """The root mean square error about the respondents, against promised_noise_error."""
        return math.sqrt(self._average(self.squared_noise_errors))

    @property
    def coverage(self) -> float:
        """How often the interval held the population's truth."""
        return self._average(self.covered)

    @property
    def coverage_error(self) -> float:
        """The Monte Carlo error of the coverage if the interval keeps its promise."""
        return math.sqrt(self._average(self.confidence * (1 - self.confidence)))

    def _average(self, total: float) -> float:
        return total / (self.repeats or math.nan)
