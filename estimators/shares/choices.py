"""Shares of one choice out of several: they sum to one, and their noise is known exactly."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from estimators.shares.possible import norm_sub
from estimators.shares.score import Score
from estimators.shares.shares import Covariance, ShareChannel, ShareEstimates
from estimators.shares.spread import Array


class ChoiceChannel(ShareChannel, Protocol):
    """The channel through which shares of one choice out of several are estimated."""

    def noise_times(self, shares: Array, targets: Array) -> Array:
        """Return the noise covariance of all options, per respondent, times each target column."""

    def noise_with(self, shares: Array, option: int) -> Array:
        """Return the noise covariance of one option with all of them, per respondent."""


@dataclass(frozen=True)
class ChoiceEstimates(ShareEstimates):
    """Estimates for options of which exactly one is chosen."""

    channel: ChoiceChannel

    @cached_property
    def possible_shares(self) -> Array:
        """The nearest shares that are not negative and sum to one: Norm-Sub (math 7)."""
        return norm_sub(self.shares)

    def _score(self, target: Array) -> Score:
        noise = float(target @ self._noise_times(self.shares, target))
        possible = float(target @ self._noise_times(self.possible_shares, target))
        spread = float(target**2 @ self.shares - (target @ self.shares) ** 2)
        return Score(
            value=float(target @ self.shares),
            noise_variance=noise,
            sampling_variance=self._sampling(noise, spread, np.ptp(target)),
            noise_error=max(possible, 0.0) ** 0.5,
        )

    def _noise_times(self, shares: Array, targets: Array) -> Array:
        return self.channel.noise_times(shares, targets) / self.n

    def _sampling(self, noise: float, spread: float, reach: float) -> float:
        """Return the sampling variance: the spread of the estimates without its bias (math 0.5)."""
        if self.n == 1:
            return reach**2 / 4
        return (spread + noise) / (self.n - 1)

    def _covariance(self) -> Covariance:
        noise = self._noise_times(self.shares, np.eye(len(self.shares)))
        truth = np.diag(self.shares) - np.outer(self.shares, self.shares)
        return Covariance(noise, (truth + noise) / max(self.n - 1, 1))

    def difference_errors(self, option: int) -> Array:
        own = float(self.shares[option])
        noise, together = self.noise_variances, self.channel.noise_with(self.shares, option)
        # C_ii + C_jj - 2 C_ij, of the randomizer alone.
        raw = float(noise[option]) + noise - 2 * together / self.n
        spread = own + self.shares - (own - self.shares) ** 2
        sampling = (spread + raw) / (self.n - 1) if self.n > 1 else np.ones(len(self.shares))
        whole: Array = np.maximum(raw + sampling, 0.0)
        return np.sqrt(whole)
