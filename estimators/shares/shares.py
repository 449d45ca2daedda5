"""The shares of all options of one question: scores, covariance, the largest share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np

from client.core.mechanisms import Supporting
from client.core.primitives.refusal import require
from estimators.confidence import CONFIDENCE
from estimators.counting.tally import Tally
from estimators.shares.arrays import ShareArrays
from estimators.shares.intervals import hoeffding_margin
from estimators.shares.leading import Leaders, best_options
from estimators.shares.score import Score
from estimators.shares.spread import Array
from estimators.shares.support import Support

# The covariance matrix of more options than this would not fit into memory.
MAX_COVARIANCE = 2048


@dataclass(frozen=True)
class Covariance:
    """The covariance of the estimated shares: the randomizer's part, and the sample's part."""

    noise: Array
    sampling: Array

    @property
    def population(self) -> Array:
        return self.noise + self.sampling


class ShareChannel(Protocol):
    """The channel through which shares are estimated: a mechanism, and its tally's support."""

    @property
    def mechanism(self) -> Supporting: ...

    def support(self, tally: Tally) -> Support: ...


@dataclass(frozen=True)
class ShareEstimates(ShareArrays, ABC):
    """What a tally says about the share of every option; NaN for a box nobody was asked about."""

    channel: ShareChannel
    tally: Tally

    @classmethod
    def of(cls, channel: ShareChannel, tally: Tally) -> Self:
        """Count the support of every option; raise if the tally does not fit the mechanism."""
        support, mechanism = channel.support(tally), channel.mechanism
        p, q = float(mechanism.p), float(mechanism.q)
        return cls(support.reported, support.asked, tally.n, p, q, channel, tally)

    def max_error(self, chance: float = 1 - CONFIDENCE) -> float:
        """Return the error that no share exceeds, except with this chance: union bound (math 7)."""
        margin = hoeffding_margin(len(self.shares), int(self.asked.min()), chance)
        return margin / (self.p - self.q)

    def ratio(self, target: Sequence[float] | Array, base: Sequence[float] | Array) -> Score:
        """Return target over base, such as a mean of those who answered; linearised (math 0.5)."""
        whole = self.score(base).value
        require(whole > 0, "empty_base", "base")
        value = self.score(target).value / whole
        change = (np.asarray(target, dtype=np.float64) - value * np.asarray(base)) / whole
        return replace(self.score(change), value=value)

    def leaders(self, confidence: float = CONFIDENCE) -> Leaders:
        """Return the options that may have the largest share (math 3)."""
        found = best_options(self.shares, self.asked, self.difference_errors, confidence)
        return Leaders(found, confidence)

    def score(self, target: Sequence[float] | Array) -> Score:
        """Return the estimate of sum_v target_v share_v, with its errors as a whole (math 0.5)."""
        weights = np.asarray(target, dtype=np.float64)
        require(
            weights.shape == self.shares.shape and bool(np.isfinite(weights).all()),
            "bad_target.options",
            "target",
            count=len(self.shares),
        )
        return self._score(weights)

    def covariance(self) -> Covariance:
        """Return the covariance of all shares; times n^2, of the totals."""
        require(
            len(self.shares) <= MAX_COVARIANCE,
            "too_many_options.covariance",
            "options",
            most=MAX_COVARIANCE,
        )
        return self._covariance()

    @abstractmethod
    def _score(self, target: Array) -> Score: ...

    @abstractmethod
    def _covariance(self) -> Covariance: ...

    @abstractmethod
    def difference_errors(self, option: int) -> Array:
        """Return standard errors, about the population, of this share minus each other one."""

    @property
    @abstractmethod
    def possible_shares(self) -> Array:
        """The possible shares nearest to the estimates, for display only (math 7)."""
