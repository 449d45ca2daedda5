"""One option's estimate, for tests: a view on one index of the arrays under test."""

from dataclasses import dataclass

from estimators.confidence import CONFIDENCE
from estimators.shares.arrays import ShareArrays
from estimators.shares.intervals import Interval
from estimators.shares.spread import Array


@dataclass(frozen=True)
class Estimate:
    """What the reports say about one option. See `ShareArrays` for what each figure means."""

    arrays: ShareArrays
    option: int

    @property
    def n(self) -> int:
        return self.arrays.n

    @property
    def asked(self) -> int:
        return int(self.arrays.asked[self.option])

    @property
    def share(self) -> float:
        return float(self.arrays.shares[self.option])

    @property
    def total(self) -> float:
        return float(self.arrays.totals[self.option])

    @property
    def clipped_share(self) -> float:
        return float(self.arrays.clipped()[self.option])

    @property
    def noise_variance(self) -> float:
        return float(self.arrays.noise_variances[self.option])

    @property
    def sampling_variance(self) -> float:
        return float(self.arrays.sampling_variances[self.option])

    @property
    def noise_error(self) -> float:
        return float(self.arrays.noise_errors[self.option])

    @property
    def sampling_error(self) -> float:
        return float(self.arrays.sampling_errors[self.option])

    @property
    def standard_error(self) -> float:
        return float(self.arrays.standard_errors[self.option])

    @property
    def design_effect(self) -> float:
        return float(self.arrays.design_effects[self.option])

    @property
    def effective_n(self) -> float:
        return float(self.arrays.effective_n[self.option])

    @property
    def flag(self) -> bool:
        return bool(self.arrays.flags[self.option])

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval for the share in the population."""
        return self._at(self.arrays.intervals(confidence))

    def exact_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the guaranteed interval for the share in the population."""
        return self._at(self.arrays.exact_intervals(confidence))

    def total_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval for the total among these very respondents."""
        return self._at(self.arrays.respondents_intervals(confidence)).scaled(self.n)

    def _at(self, ends: tuple[Array, Array]) -> Interval:
        low, high = ends
        return Interval(float(low[self.option]), float(high[self.option]))


def options_of(arrays: ShareArrays) -> list[Estimate]:
    """Return one estimate per option."""
    return [Estimate(arrays, option) for option in range(len(arrays.reported))]
