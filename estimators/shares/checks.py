"""Shares of check-boxes: any number of them can be ticked, so shares need not sum to one.

How the noise of two boxes varies together depends on how many people tick both, which a tally does
not show. The covariance is given for boxes that are ticked independently. A score assumes for each
pair the possible joint share that makes its error largest (Frechet's bounds).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from client.core.primitives.refusal import Refusal
from estimators.shares.score import Score
from estimators.shares.shares import Covariance, ShareChannel, ShareEstimates
from estimators.shares.spread import Array


class ChecksChannel(ShareChannel, Protocol):
    """The channel through which shares of check-boxes are estimated."""

    def spread_of_pairs(self, shares: Array, both: Array) -> Array:
        """Return the covariance of two boxes' shares times n, if the share `both` ticks both."""

    def noise_of_pairs(self, shares: Array, both: Array) -> Array:
        """Return the part of that covariance that remains if the answers are fixed."""


@dataclass(frozen=True)
class CheckEstimates(ShareEstimates):
    """Estimates for boxes of which several can be ticked."""

    channel: ChecksChannel

    def norm_sub(self) -> Array:
        raise _no_simplex()

    def posterior_mean(self) -> Array:
        raise _no_simplex()

    def maximum_likelihood(self) -> Array:
        """Return the clipped share of each box by itself (math 7)."""
        return self.clipped()

    def _score(self, target: Array) -> Score:
        used = target != 0
        target, shares = target[used], self.clipped()[used]
        noise = worst(self.channel.noise_of_pairs, shares, target) / self.n
        whole = worst(self.channel.spread_of_pairs, shares, target) / self.n
        own = target**2
        noise_variance = float(own @ self.noise_variances[used]) + noise
        return Score(
            value=float(target @ self.shares[used]),
            noise_variance=noise_variance,
            sampling_variance=float(own @ self.sampling_variances[used]) + whole - noise,
            noise_error=max(float(own @ self.noise_errors[used] ** 2) + noise, 0.0) ** 0.5,
        )

    def _covariance(self) -> Covariance:
        both = np.outer(self.shares, self.shares)
        noise = self.channel.noise_of_pairs(self.shares, both) / self.n
        np.fill_diagonal(noise, self.noise_variances)
        # Boxes are ticked independently, so the sample adds no covariance.
        return Covariance(noise, np.diag(self.sampling_variances))

    def difference_errors(self, option: int) -> Array:
        count = len(self.shares)
        return np.array([self.difference(option, j).standard_error for j in range(count)])


def _no_simplex() -> Refusal:
    return Refusal("no_simplex")


Pairs = Callable[[Array, Array], Array]


def worst(pairs: Pairs, shares: Array, target: Array) -> float:
    """Return the most that covariances can add to a score's variance, per respondent."""
    weights = np.outer(target, target)
    np.fill_diagonal(weights, 0.0)
    least = np.maximum(np.add.outer(shares, shares) - 1, 0.0)
    most = np.minimum.outer(shares, shares)
    ends = (weights * pairs(shares, both) for both in (least, most))
    return float(np.maximum(*ends).sum())
