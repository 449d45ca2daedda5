"""The channel of levels, their distribution by expectation maximisation, and unbiased scores."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms import TwoLevel
from estimators.shares.spread import Array

# On fine grids, stopping early regularises (math 5).
STEPS = 300
# With more levels than this, neighbours are grouped where intervals are computed (math 5).
MOST_BINS = 128


class Channel(Protocol):
    """M[y, x] = P(report y | level or bin x), without the matrix."""

    @property
    def top(self) -> int:
        """The highest level, or the last bin."""

    @property
    def truths(self) -> int:
        """The number of levels or bins, and of options for silence after them."""

    def forward(self, shares: Array) -> Array:
        """Return M pi, the share of each report, by cumulative sums."""

    def backward(self, ratio: Array) -> Array:
        """Return M' r, by cumulative sums."""


class LevelChannel(Channel, Protocol):
    """The channel of a level mechanism."""

    @property
    def mechanism(self) -> TwoLevel: ...


@dataclass(frozen=True)
class GroupedChannel:
    """A channel whose neighbouring levels are grouped into bins, even inside each bin.

    Options for silence stay as they are.
    """

    levels: Channel
    most: int = MOST_BINS

    @cached_property
    def edges(self) -> NDArray[np.int64]:
        """The first level of every bin, and one past the last level."""
        count = self.levels.top + 1
        bins = min(count, self.most)
        return np.arange(bins + 1, dtype=np.int64) * count // bins

    @property
    def top(self) -> int:
        return min(self.levels.top + 1, self.most) - 1

    @property
    def truths(self) -> int:
        return self.top + self.levels.truths - self.levels.top

    @cached_property
    def _widths(self) -> NDArray[np.int64]:
        """How many truths each bin holds."""
        silent = self.levels.truths - self.levels.top - 1
        return np.append(np.diff(self.edges), np.ones(silent, dtype=np.int64))

    def forward(self, shares: Array) -> Array:
        widths = self._widths
        even = shares / widths.reshape(-1, *[1] * (shares.ndim - 1))
        return self.levels.forward(np.repeat(even, widths, axis=0))

    def backward(self, ratio: Array) -> Array:
        widths = self._widths
        starts = np.cumsum(widths) - widths
        sums: Array = np.add.reduceat(self.levels.backward(ratio), starts, axis=0)
        return sums / widths.reshape(-1, *[1] * (ratio.ndim - 1))


def expectation_maximisation(channel: Channel, observed: Array, steps: int = STEPS) -> Array:
    """Iterate pi <- pi M'(f / M pi) from even shares, for each column of `observed` (math 5)."""
    count = channel.truths
    shares = np.full((count, *observed.shape[1:]), 1 / count)
    for _ in range(steps):
        shares = shares * channel.backward(observed / channel.forward(shares))
        shares /= shares.sum(axis=0)
    return shares


def channel_matrix(channel: Channel) -> Array:
    """Return the matrix M[y, x] = P(report y | level x), options for silence last."""
    return channel.forward(np.eye(channel.truths))


def best_scores(channel: Channel) -> Array:
    """Return unbiased scores of every truth's share, with the least variance at even shares.

    They are D^-1 M (M' D^-1 M)^-1, with M the channel and D the reports expected from an even
    distribution. They are unbiased whatever the truth.
    """
    matrix = channel_matrix(channel)
    weighted = matrix / matrix.mean(axis=1, keepdims=True)
    return np.linalg.solve(matrix.T @ weighted, weighted.T).T


def average_variance(scores: Array, counts: Array, values: Array | float) -> Array:
    """Return the variance of averages of scores, one column each; of one score, the largest."""
    n = float(counts.sum())
    if n == 1:
        return np.asarray(np.ptp(scores, axis=0) ** 2 / 4)
    return np.asarray(counts @ (scores - values) ** 2 / (n * (n - 1)))


def running(values: Array) -> Array:
    """Return cumulative sums along the first axis, with a 0 before the first."""
    return np.concatenate((np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)))
