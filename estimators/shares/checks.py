"""Shares of check-boxes: any number of them can be ticked, so shares need not sum to one.

How the noise of two boxes varies together depends on how many people tick both, which a tally does
not show. The covariance is given for boxes that are ticked independently. A score assumes for each
pair the possible joint share that makes its error largest (Frechet's bounds).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

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

    @property
    def possible_shares(self) -> Array:
        """Each box by itself, cut at 0 and 1 (math 7)."""
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
        errors: Array = self._difference_errors[option]
        return errors

    @cached_property
    def _difference_errors(self) -> Array:
        """Standard errors of all differences, at the joint shares that make them largest."""
        own = self.noise_variances + self.sampling_variances
        least, most = joint_limits(self.clipped())
        ends = (self.channel.spread_of_pairs(self.clipped(), both) for both in (least, most))
        together = np.minimum(*ends) / self.n
        return np.sqrt(np.maximum(np.add.outer(own, own) - 2 * together, 0.0))


Pairs = Callable[[Array, Array], Array]


def worst(pairs: Pairs, shares: Array, target: Array) -> float:
    """Return the most that covariances can add to a score's variance, per respondent."""
    weights = np.outer(target, target)
    np.fill_diagonal(weights, 0.0)
    ends = (weights * pairs(shares, both) for both in joint_limits(shares))
    return float(np.maximum(*ends).sum())


def joint_limits(shares: Array) -> tuple[Array, Array]:
    """Return the smallest and the largest possible share of people who tick both of two boxes."""
    least = np.maximum(np.add.outer(shares, shares) - 1, 0.0)
    return least, np.minimum.outer(shares, shares)
