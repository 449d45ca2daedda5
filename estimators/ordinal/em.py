"""The distribution of levels by expectation maximisation, with bootstrap intervals (math 5)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.mechanisms import RandomThreshold, SlidingWindow
from estimators.counting.tally import Tally
from estimators.shares.spread import Array

# On fine grids early stopping is the regulariser (math 5).
STEPS = 300
RESAMPLES = 200
SEED = 20_061
Ordered = RandomThreshold | SlidingWindow
Smooth = Callable[[Array], Array]


@dataclass(frozen=True)
class Distribution:
    """Shares of the levels, and the same for resampled reports, one per column."""

    shares: Array
    resampled: Array
    lo: float
    step: float

    @cached_property
    def cdf(self) -> Array:
        """P(answer <= level) for all levels but the top."""
        return np.cumsum(self.shares)[:-1]

    @property
    def values(self) -> Array:
        return self.lo + self.step * np.arange(len(self.shares), dtype=np.float64)

    def quantile(self, chance: float) -> float:
        return float(self.values[np.searchsorted(self.cdf, chance)])

    def intervals(self, confidence: float = 0.95) -> tuple[Array, Array]:
        """Lows and highs of each level's share: the middle part of the resampled ones."""
        return self._middle(self.resampled, confidence)

    def cdf_intervals(self, confidence: float = 0.95) -> tuple[Array, Array]:
        return self._middle(np.cumsum(self.resampled, axis=0)[:-1], confidence)

    def _middle(self, figures: Array, confidence: float) -> tuple[Array, Array]:
        tail = (1 - confidence) / 2
        low, high = np.quantile(figures, [tail, 1 - tail], axis=1)
        return low, high


def distribution(mechanism: Ordered, tally: Tally, lo: float, step: float) -> Distribution:
    """EM on the reports and on RESAMPLES tallies drawn from them with a fixed seed."""
    observed = np.array(tally.counts) / tally.n
    source = np.random.Generator(np.random.PCG64(SEED))
    again = source.multinomial(tally.n, observed, size=RESAMPLES).T / tally.n
    shares = expectation_maximisation(mechanism, np.column_stack((observed, again)))
    return Distribution(shares[:, 0], shares[:, 1:], lo, step)


def expectation_maximisation(mechanism: Ordered, observed: Array, steps: int = STEPS) -> Array:
    """pi <- pi M'(f / M pi) from even shares, for each column of `observed` (math 5)."""
    return _iterate(mechanism, observed, steps, lambda shares: shares)


def smoothed_maximisation(mechanism: Ordered, observed: Array, steps: int = STEPS) -> Array:
    """EMS: the same with each step smoothed; better only where the truth is smooth (math 5)."""
    return _iterate(mechanism, observed, steps, smooth)


def _iterate(mechanism: Ordered, observed: Array, steps: int, after: Smooth) -> Array:
    levels = mechanism.top + 1
    shares = np.full((levels, *observed.shape[1:]), 1 / levels)
    for _ in range(steps):
        ratio = observed / forward(mechanism, shares)
        shares = after(shares * backward(mechanism, ratio))
        shares /= shares.sum(axis=0)
    return shares


def smooth(shares: Array) -> Array:
    """[1, 2, 1]/4, reflecting at both ends."""
    padded = np.concatenate((shares[:1], shares, shares[-1:]))
    return (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4


def forward(mechanism: Ordered, shares: Array) -> Array:
    """M pi: the share of each report, by cumulative sums instead of the matrix."""
    sums = _running(shares)
    total = sums[-1:]
    match mechanism:
        case RandomThreshold(top=top):
            p, q = float(mechanism.p), float(mechanism.q)
            above = total - sums[1:-1]
            yes = q * total + (p - q) * above
            both = np.stack((total - yes, yes), axis=1)
            return both.reshape(2 * top, *shares.shape[1:]) / top
        case SlidingWindow(top=top, width=width):
            near, far = _heights(mechanism)
            places = np.arange(mechanism.cells)
            inside = sums[np.minimum(places, top) + 1] - sums[np.maximum(places - width, 0)]
            expected: Array = far * total + (near - far) * inside
            return expected


def backward(mechanism: Ordered, ratio: Array) -> Array:
    """M' r, in the same way."""
    match mechanism:
        case RandomThreshold(top=top):
            p, q = float(mechanism.p), float(mechanism.q)
            pairs = ratio.reshape(top, 2, *ratio.shape[1:])
            base: Array = (q * pairs[:, 1] + p * pairs[:, 0]).sum(axis=0, keepdims=True)
            return (base + _running((p - q) * (pairs[:, 1] - pairs[:, 0]))) / top
        case SlidingWindow(top=top, width=width):
            near, far = _heights(mechanism)
            sums = _running(ratio)
            levels = np.arange(top + 1)
            inside = sums[levels + width + 1] - sums[levels]
            return far * sums[-1:] + (near - far) * inside


def channel_matrix(mechanism: Ordered) -> Array:
    """M[y, x] = P(report y | level x)."""
    return forward(mechanism, np.eye(mechanism.top + 1))


def _running(values: Array) -> Array:
    """Cumulative sums along the first axis, with a 0 before the first."""
    return np.concatenate((np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)))


def _heights(mechanism: SlidingWindow) -> tuple[float, float]:
    """P(one given report) inside and outside the window (math 5.2)."""
    keep = float(mechanism.keep)
    return keep / mechanism.near, (1 - keep) / mechanism.far
