"""The shares of all options of one question: arrays first, one Estimate per option on request."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from client.core.mechanisms import Supporting
from client.core.primitives.refusal import require
from estimators.counting.tally import Tally
from estimators.shares import leading, spread
from estimators.shares.estimate import Estimate
from estimators.shares.intervals import (
    LEAST_SPREAD_FOR_NORMAL,
    clopper_pearson_ends,
    hoeffding_margin,
    normal_quantile,
    wilson_ends,
)
from estimators.shares.leading import Leader
from estimators.shares.score import Score
from estimators.shares.spread import Array, Counts
from estimators.shares.support import Support, support_of

# A covariance matrix of more options than this would fill the memory.
MAX_COVARIANCE = 2048


@dataclass(frozen=True)
class Covariance:
    """Of the estimated shares: what the randomizer adds, and what the sample adds to that."""

    noise: Array
    sampling: Array

    @property
    def population(self) -> Array:
        return self.noise + self.sampling


@dataclass(frozen=True)
class ShareEstimates(ABC):
    """What a tally says about the share of every option; NaN for a box nobody was asked about."""

    mechanism: Supporting
    tally: Tally

    def __post_init__(self) -> None:
        require(self.n >= 1, "no_reports", "an estimate needs at least one report", "n")
        _ = self._support  # Refuses a tally that does not fit the mechanism.

    @property
    def n(self) -> int:
        return self.tally.n

    @cached_property
    def p(self) -> float:
        return float(self.mechanism.p)

    @cached_property
    def q(self) -> float:
        return float(self.mechanism.q)

    @cached_property
    def _support(self) -> Support:
        return support_of(self.mechanism, self.tally)

    @property
    def reported(self) -> Counts:
        """Reports that support each option."""
        return self._support.reported

    @property
    def asked(self) -> Counts:
        """Reports that say anything about each option."""
        return self._support.asked

    @cached_property
    def _about(self) -> Array:
        """The same, but NaN for none: so is then everything that is divided by it."""
        return np.where(self.asked > 0, self.asked, np.nan)

    @cached_property
    def reported_shares(self) -> Array:
        return self.reported / self._about

    @cached_property
    def shares(self) -> Array:
        """Unbiased and unclipped (math 0.5)."""
        return (self.reported_shares - self.q) / (self.p - self.q)

    @property
    def totals(self) -> Array:
        return self.shares * self.n

    @cached_property
    def options(self) -> tuple[Estimate | None, ...]:
        """One estimate per option; None for a box that nobody was asked about."""
        p, q, n = self.p, self.q, self.n
        return tuple(
            Estimate(reported, n, p, q, asked if asked < n else 0) if asked else None
            for reported, asked in zip(self.reported.tolist(), self.asked.tolist(), strict=True)
        )

    @cached_property
    def _truths(self) -> Array:
        """Estimated share(1 - share) of each option; the largest possible from one report."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = spread.truth_per_respondent(self.reported_shares, self._about, self.p, self.q)
        return np.where(self.asked == 1, 0.25, found)

    def _noise(self, shares: Array, truths: Array) -> Array:
        randomizer = spread.noise_per_respondent(shares, self.p, self.q)
        return (randomizer + (1 - self._about / self.n) * truths) / self._about

    @property
    def noise_variances(self) -> Array:
        return self._noise(self.shares, self._truths)

    @property
    def sampling_variances(self) -> Array:
        return self._truths / self.n

    @property
    def noise_errors(self) -> Array:
        return np.sqrt(self._noise(self.clipped(), np.maximum(self._truths, 0.0)))

    @property
    def sampling_errors(self) -> Array:
        return np.sqrt(np.maximum(self.sampling_variances, 0.0))

    @property
    def standard_errors(self) -> Array:
        return np.hypot(self.noise_errors, self.sampling_errors)

    def intervals(self, confidence: float = 0.95) -> tuple[Array, Array]:
        """Lows and highs, each for itself; `bonferroni` and `sidak` make them hold together."""
        return self._through_channel(
            *wilson_ends(self.reported.astype(np.float64), self._about, confidence)
        )

    def exact_intervals(self, confidence: float = 0.95) -> tuple[Array, Array]:
        """The guaranteed ones: Clopper-Pearson (math 7)."""
        ends = clopper_pearson_ends(self.reported, self._about, confidence)
        return self._through_channel(*ends)

    def respondents_intervals(self, confidence: float = 0.95) -> tuple[Array, Array]:
        """For these very respondents: only the randomizer is random (math 7).

        Where only some were asked about a box, those for the population, as for a total.
        """
        if bool((self.asked < self.n).any()):
            return self.intervals(confidence)
        spread_of_reports = min(self.p * (1 - self.p), self.q * (1 - self.q))
        if self.n * spread_of_reports < LEAST_SPREAD_FOR_NORMAL:
            return self.exact_intervals(confidence)
        half = normal_quantile(confidence) * self.noise_errors
        return self.shares - half, self.shares + half

    def _through_channel(self, low: Array, high: Array) -> tuple[Array, Array]:
        return (low - self.q) / (self.p - self.q), (high - self.q) / (self.p - self.q)

    def clipped(self) -> Array:
        """The nearest possible shares, each for itself; for display only (math 7)."""
        return np.clip(self.shares, 0.0, 1.0)

    def max_error(self, chance: float = 0.05) -> float:
        """No share is further off than this, except with this chance: the union bound (math 7)."""
        margin = hoeffding_margin(len(self.shares), int(self.asked.min()), chance)
        return margin / (self.p - self.q)

    def difference(self, option: int, other: int) -> Score:
        """How much larger one share is than another; their noise is not independent."""
        target = np.zeros(len(self.shares))
        target[option] += 1
        target[other] -= 1
        return self.score(target)

    def ratio(self, target: Sequence[float] | Array, base: Sequence[float] | Array) -> Score:
        """target over base, such as a mean among those who answered; linearised (math 8)."""
        whole = self.score(base).value
        require(whole > 0, "empty_base", "nobody is estimated to be in the base", "base")
        value = self.score(target).value / whole
        change = (np.asarray(target, dtype=np.float64) - value * np.asarray(base)) / whole
        return replace(self.score(change), value=value)

    def leader(self, confidence: float = 0.95) -> Leader:
        """The largest share, what cannot be told from it, and whether it is right (math 3)."""
        first = int(np.nanargmax(self.shares))
        return leading.leader(self.shares, self.difference_errors(first), first, confidence)

    def score(self, target: Sequence[float] | Array) -> Score:
        """The estimate of sum_v target_v share_v, with the errors of the whole (math 0.5)."""
        weights = np.asarray(target, dtype=np.float64)
        require(
            weights.shape == self.shares.shape and bool(np.isfinite(weights).all()),
            "bad_target",
            f"target must have one finite number for each of the {len(self.shares)} options",
            "target",
        )
        return self._score(weights)

    def covariance(self) -> Covariance:
        """Of all shares; times n^2, of the totals."""
        require(
            len(self.shares) <= MAX_COVARIANCE,
            "too_many_options",
            f"a covariance matrix is for at most {MAX_COVARIANCE} options; use score",
            "options",
        )
        return self._covariance()

    @abstractmethod
    def _score(self, target: Array) -> Score: ...

    @abstractmethod
    def _covariance(self) -> Covariance: ...

    @abstractmethod
    def difference_errors(self, option: int) -> Array:
        """Standard errors, about the population, of this share minus each other one."""

    @abstractmethod
    def norm_sub(self) -> Array:
        """The nearest possible shares as a whole, where shares sum to one (math 7)."""

    @abstractmethod
    def maximum_likelihood(self) -> Array:
        """The possible shares under which these reports are likeliest, where known (math 7)."""

    @abstractmethod
    def posterior_mean(self) -> Array:
        """The possible shares nearest to the truth on average, where they sum to one (math 7)."""
