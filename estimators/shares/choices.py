"""Shares of one choice out of several: they sum to one, and their noise is known exactly."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from estimators.shares import possible
from estimators.shares.possible import posterior_mean
from estimators.shares.score import Score
from estimators.shares.shares import Covariance, ShareChannel, ShareEstimates
from estimators.shares.spread import Array


class ChoiceChannel(ShareChannel, Protocol):
    """The channel through which shares of one choice out of several are estimated."""

    def noise_times(self, shares: Array, targets: Array) -> Array:
        """Return the noise covariance of all options, per respondent, times each target column."""

    def likeliest(self, estimates: "ChoiceEstimates") -> Array:
        """Return the possible shares that make the reports most likely (math 7)."""


@dataclass(frozen=True)
class ChoiceEstimates(ShareEstimates):
    """Estimates for options of which exactly one is chosen."""

    channel: ChoiceChannel

    def norm_sub(self) -> Array:
        return self._norm_sub

    @cached_property
    def _norm_sub(self) -> Array:
        return possible.norm_sub(self.shares)

    def maximum_likelihood(self) -> Array:
        return self._maximum_likelihood

    @cached_property
    def _maximum_likelihood(self) -> Array:
        return self.channel.likeliest(self)

    def posterior_mean(self) -> Array:
        return posterior_mean(self.shares, self.standard_errors)

    def _score(self, target: Array) -> Score:
        noise = float(target @ self._noise_times(self.shares, target))
        possible = float(target @ self._noise_times(self._norm_sub, target))
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
        one = np.zeros(len(self.shares))
        one[option] = 1
        raw = self._differences(self.shares, option, one)
        possible = self._differences(self._norm_sub, option, one)
        own = float(self.shares[option])
        spread = own + self.shares - (own - self.shares) ** 2
        sampling = (spread + raw) / (self.n - 1) if self.n > 1 else np.ones(len(self.shares))
        whole: Array = np.maximum(possible, 0.0) + np.maximum(sampling, 0.0)
        return np.sqrt(whole)

    def _differences(self, shares: Array, option: int, one: Array) -> Array:
        """Return the noise variance of share `option` minus each: C_ii + C_jj - 2 C_ij."""
        own = self._noise(shares, self._truths)
        return float(own[option]) + own - 2 * self._noise_times(shares, one)
