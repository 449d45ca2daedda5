"""The distribution of levels by expectation maximisation, with bootstrap intervals (math 5)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from client.core.mechanisms import TwoLevel
from estimators.confidence import CONFIDENCE
from estimators.counting.tally import Tally
from estimators.shares.spread import Array

# On fine grids, stopping early regularises (math 5).
STEPS = 300
RESAMPLES = 200
SEED = 20_061


class LevelChannel(Protocol):
    """The channel of a level mechanism, M[y, x] = P(report y | level x), without the matrix."""

    @property
    def mechanism(self) -> TwoLevel: ...

    @property
    def top(self) -> int:
        """The highest level."""

    def forward(self, shares: Array) -> Array:
        """Return M pi, the share of each report, by cumulative sums."""

    def backward(self, ratio: Array) -> Array:
        """Return M' r, by cumulative sums."""


@dataclass(frozen=True)
class Distribution:
    """The shares of the levels, and those of resampled reports, one sample per column."""

    shares: Array
    resampled: Array

    @cached_property
    def cdf(self) -> Array:
        """P(answer <= level) for all levels but the top."""
        return np.cumsum(self.shares)[:-1]

    def intervals(self, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
        """Return lows and highs of each level's share: the middle part of the resampled ones."""
        return self._middle(self.resampled, confidence)

    def cdf_intervals(self, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
        """Return lows and highs of each cumulative share."""
        return self._middle(np.cumsum(self.resampled, axis=0)[:-1], confidence)

    def _middle(self, figures: Array, confidence: float) -> tuple[Array, Array]:
        tail = (1 - confidence) / 2
        low, high = np.quantile(figures, [tail, 1 - tail], axis=1)
        return low, high


def distribution(channel: LevelChannel, tally: Tally) -> Distribution:
    """Run EM on the reports and on RESAMPLES tallies drawn from them with a fixed seed."""
    observed = np.array(tally.counts) / tally.n
    source = np.random.Generator(np.random.PCG64(SEED))
    again = source.multinomial(tally.n, observed, size=RESAMPLES).T / tally.n
    shares = expectation_maximisation(channel, np.column_stack((observed, again)))
    return Distribution(shares[:, 0], shares[:, 1:])


def expectation_maximisation(channel: LevelChannel, observed: Array, steps: int = STEPS) -> Array:
    """Iterate pi <- pi M'(f / M pi) from even shares, for each column of `observed` (math 5)."""
    levels = channel.top + 1
    shares = np.full((levels, *observed.shape[1:]), 1 / levels)
    for _ in range(steps):
        shares = shares * channel.backward(observed / channel.forward(shares))
        shares /= shares.sum(axis=0)
    return shares


def channel_matrix(channel: LevelChannel) -> Array:
    """Return the matrix M[y, x] = P(report y | level x)."""
    return channel.forward(np.eye(channel.top + 1))


def running(values: Array) -> Array:
    """Return cumulative sums along the first axis, with a 0 before the first."""
    return np.concatenate((np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)))
