"""95 % intervals of shares of levels from a sliding window: the profile of a fit (math 5).

Q(pi) = n sum_y (f_y - (M pi)_y)^2/h_y measures how badly shares pi fit the reports. The interval
of the share of a set of levels holds every value for which the best Q rises by at most CUT.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, nnls

from estimators.confidence import CONFIDENCE
from estimators.ordinal.cumulative import CUT, FixedLimits, SearchedLimits
from estimators.ordinal.em import (
    GroupedChannel,
    average_variance,
    best_scores,
    channel_matrix,
    expectation_maximisation,
)
from estimators.shares.intervals import Interval, normal_quantile
from estimators.shares.spread import Array

# The weights h are the reports that this many steps of EM expect.
STEPS = 100
# A share is pulled to a wanted value with this weight times n: the more, the nearer it comes.
PULL = 1e4
# In sqrt(Q): far below what changes a printed digit.
TOLERANCE = 1e-10
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Profile:
    """How well shares of bins fit reports: the factor R of the least squares, best fit and its Q.

    R is the triangle of D^-1/2 (M - f 1'), so Q(pi) = |R pi|^2 for shares that sum to one.
    """

    factor: Array
    n: int

    @classmethod
    def of(cls, channel: GroupedChannel, counts: Array) -> "Profile":
        n = int(counts.sum())
        observed = counts / n
        expected = channel.forward(expectation_maximisation(channel, observed, STEPS))
        gaps = channel_matrix(channel) - observed[:, None]
        weighted = np.sqrt(n / expected)[:, None] * gaps
        return cls(np.asarray(np.linalg.qr(weighted, mode="r")), n)

    @cached_property
    def shares(self) -> Array:
        """The shares that fit best."""
        return nearest_to_zero(self.factor)

    @cached_property
    def least(self) -> float:
        """The smallest possible Q."""
        return self._misfit(self.shares)

    def interval(self, inside: Flags) -> Interval:
        """Return the 95 % interval of the share of the flagged bins."""
        return Interval(self.low(inside), self.high(inside))

    def low(self, inside: Flags) -> float:
        return 1 - self.high(~inside)

    def high(self, inside: Flags) -> float:
        """Return the largest share of the flagged bins at which Q rises by at most CUT."""
        best = float(self.shares[inside].sum())
        if not inside.any():
            return 0.0

        def excess(wanted: float) -> float:
            return sqrt(max(self.pulled(inside, wanted)[1], 0.0)) - sqrt(CUT)

        # A wanted share of 2 pulls everybody into the bins.
        if best >= 1 or excess(2.0) <= 0:
            return 1.0
        return self.pulled(inside, float(brentq(excess, best, 2.0, xtol=TOLERANCE)))[0]

    def pulled(self, inside: Flags, wanted: float) -> tuple[float, float]:
        """Pull the share of the flagged bins to a wanted value; return it, and how Q rises.

        It does not come all the way. But the shares that minimise Q + w (share - wanted)^2 also
        minimise Q among all shares with the share that was reached, whatever the weight w is.
        """
        pull = sqrt(PULL * self.n) * (inside - wanted)
        shares = nearest_to_zero(np.vstack((self.factor, pull)))
        return min(float(shares[inside].sum()), 1.0), self._misfit(shares) - self.least

    def _misfit(self, shares: Array) -> float:
        return float(((self.factor @ shares) ** 2).sum())


def nearest_to_zero(matrix: Array) -> Array:
    """Return the shares (not negative, of sum one) with the smallest |matrix shares|.

    Non-negative least squares with one more row, sum = 1, gives them times a number: for shares s
    and a factor t, the smallest t^2 |Ms|^2 + (t - 1)^2 rises with |Ms|.
    """
    count = matrix.shape[1]
    rows = np.vstack((matrix, np.ones(count)))
    found, _ = nnls(rows, np.append(np.zeros(len(matrix)), 1.0), maxiter=100 * count)
    shares: Array = found / found.sum()
    return shares


@dataclass(frozen=True, eq=False)
class ProfileLimits(SearchedLimits):
    """The limits of F by the profile. Inside a bin, F lies between its limits at the bin's ends."""

    channel: GroupedChannel
    profile: Profile

    @property
    def top(self) -> int:
        return self.channel.levels.top

    def find_low(self, level: int) -> float:
        """Count the bins that lie wholly at or below the level."""
        return self.profile.low(self.channel.edges[1:] <= level + 1)

    def find_high(self, level: int) -> float:
        """Count the bins of which any part lies at or below the level."""
        return self.profile.high(self.channel.edges[:-1] <= level)


def linear_limits(channel: GroupedChannel, counts: Array) -> FixedLimits:
    """Return the limits of F by unbiased scores: estimate +- z standard errors, within 0 .. 1."""
    n = int(counts.sum())
    scores = np.cumsum(best_scores(channel), axis=1)
    values = counts @ scores / n
    errors = np.sqrt(average_variance(scores, counts, values))
    half = normal_quantile(CONFIDENCE) * errors
    # The limits at the ends of all bins, with F = 0 before the first and F = 1 after the last.
    lows = np.clip(np.concatenate(([0.0], (values - half)[:-1], [1.0])), 0, 1)
    highs = np.clip(np.concatenate(([0.0], (values + half)[:-1], [1.0])), 0, 1)
    levels = np.arange(channel.levels.top)
    whole = np.searchsorted(channel.edges, levels + 1, side="right") - 1
    touched = np.searchsorted(channel.edges, levels + 1, side="left")
    return FixedLimits(lows[whole], highs[touched])
