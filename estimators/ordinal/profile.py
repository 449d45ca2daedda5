"""95 % intervals of shares of levels from a sliding window: the profile of a fit (math 5, 5.5).

Q(pi) = n sum_y (f_y - (M pi)_y)^2/h_y measures how badly shares pi fit the reports. The interval
of the share of a set of levels holds every value for which the best Q rises by at most CUT.

Shares are among those who answered: options for silence are fitted like levels, and left out of
every share.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from estimators.confidence import CONFIDENCE
from estimators.ordinal.cumulative import CUT, FixedLimits, SearchedLimits, first_place
from estimators.ordinal.em import (
    GroupedChannel,
    average_variance,
    best_scores,
    channel_matrix,
    expectation_maximisation,
)
from estimators.shares.intervals import Interval, normal_quantile
from estimators.shares.ratios import fieller
from estimators.shares.spread import Array

# The weights h are the reports that this many steps of EM expect.
STEPS = 100
# A share is pulled to a wanted value with this weight times n: the more, the nearer it comes.
PULL = 1e4
# Of a share: the next step would be far below what changes a printed digit.
TOLERANCE = 1e-7
# Of Q: so near to CUT, a comparison is left to the limit itself.
NEAR_CUT = 1e-6
# A column is missing from the fit if it would gain more than rounding can.
GAIN = 1e-14
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Profile:
    """How well shares of bins fit reports: the factor R of the least squares, best fit and its Q.

    R is the triangle of D^-1/2 (M - f 1'), so Q(pi) = |R pi|^2 for shares that sum to one. The
    bins after the first `bins` are options for silence.
    """

    factor: Array
    n: int
    bins: int

    @classmethod
    def of(cls, channel: GroupedChannel, counts: Array) -> "Profile":
        n = int(counts.sum())
        observed = counts / n
        expected = channel.forward(expectation_maximisation(channel, observed, STEPS))
        gaps = channel_matrix(channel) - observed[:, None]
        weighted = np.sqrt(n / expected)[:, None] * gaps
        return cls(np.asarray(np.linalg.qr(weighted, mode="r")), n, channel.top + 1)

    @cached_property
    def shares(self) -> Array:
        """The shares that fit best, options for silence last."""
        return nearest_to_zero(self.factor)

    @cached_property
    def among_answers(self) -> Array:
        """The fitted shares of the bins among those who answered; even if nobody seems to have."""
        own = self.shares[: self.bins]
        total = float(own.sum())
        return own / total if total > 0 else np.full(self.bins, 1 / self.bins)

    @cached_property
    def least(self) -> float:
        """The smallest possible Q."""
        return self._misfit(self.shares)

    def interval(self, inside: Flags) -> Interval:
        """Return the 95 % interval of the share of the flagged bins among those who answered."""
        return Interval(self.low(inside), self.high(inside))

    def low(self, inside: Flags) -> float:
        return 1 - self.high(~inside)

    def high(self, inside: Flags) -> float:
        """Return the largest share of the flagged bins at which Q rises by at most CUT.

        The rise is convex, and a parabola as long as the same bins are used. So each step solves a
        parabola through the last two tries, and halves the bracket if that leads out of it.
        """
        best = float(self.among_answers[inside].sum())
        if not inside.any():
            return 0.0
        # A wanted share of 2 pulls everybody into the bins, if nobody can be silent instead.
        most = 2.0 if self.bins == len(self.shares) else 1.0
        if best >= 1 or (last := self.pulled(inside, most)).rise <= CUT:
            return 1.0
        low, high = best, most
        at = self.pulled(inside, best + (last.share - best) * sqrt(CUT / last.rise))
        while abs(step := at.step_to_cut(last)) > TOLERANCE and high - low > TOLERANCE:
            low, high = (at.wanted, high) if at.rise <= CUT else (low, at.wanted)
            wanted = at.wanted + step
            if not low < wanted < high:
                wanted = (low + high) / 2
            last, at = at, self.pulled(inside, wanted, at.used)
        return at.share + step

    def reaches(self, inside: Flags, share: float) -> bool:
        """Tell whether `high` is at least a share, from one fit in nearly all cases."""
        if float(self.among_answers[inside].sum()) >= share:
            return True
        at = self.pulled(inside, share)
        # What was reached is next to what was wanted, so a straight line leads there.
        rise = at.rise + at.slope * (share - at.share)
        if abs(rise - CUT) < NEAR_CUT:
            return self.high(inside) >= share
        return rise < CUT

    def pulled(self, inside: Flags, wanted: float, used: Flags | None = None) -> "Pulled":
        """Pull the share of the flagged bins to a wanted value, starting with the `used` bins.

        It does not come all the way. But the shares that minimise Q + w (share - wanted)^2 also
        minimise Q among all shares with the share that was reached, whatever the weight w is. With
        options for silence, what is pulled to 0 is the share minus `wanted` times that of all who
        answered; this w is large enough for the difference to be far below a printed digit.
        """
        weight = PULL * self.n
        pull = np.zeros(len(self.shares))
        pull[: self.bins] = sqrt(weight) * (inside - wanted)
        shares = nearest_to_zero(self.factor, pull, self.shares > 0 if used is None else used)
        answered = float(shares[: self.bins].sum())
        reached = float(shares[: self.bins][inside].sum()) / answered if answered > 0 else wanted
        slope = 2 * weight * answered**2 * (wanted - reached)
        rise = max(self._misfit(shares) - self.least, 0.0)
        return Pulled(min(reached, 1.0), rise, slope, wanted, shares > 0)

    def _misfit(self, shares: Array) -> float:
        return float(((self.factor @ shares) ** 2).sum())


class Pulled(NamedTuple):
    """The share that was reached, how Q rises there, and the slope of that."""

    share: float
    rise: float
    slope: float
    wanted: float
    # The bins with a share above 0.
    used: Flags

    def step_to_cut(self, last: "Pulled") -> float:
        """Return how far from this share a parabola through two tries rises by CUT."""
        apart = self.share - last.share
        bend = max((self.slope - last.slope) / apart, 0.0) if apart else 0.0
        left = CUT - self.rise
        under_root = self.slope**2 + 2 * bend * left
        if self.slope <= 0 or under_root < 0:
            return 0.0 if left == 0 else left * float("inf")
        return 2 * left / (self.slope + sqrt(under_root))


def nearest_to_zero(matrix: Array, row: Array | None = None, used: Flags | None = None) -> Array:
    """Return the shares (not negative, of sum one) with the smallest |matrix shares|.

    `row` is one more row of the matrix. Non-negative least squares with yet another row, sum = 1,
    gives the shares times a number: for shares s and a factor t, the smallest
    t^2 |Ms|^2 + (t - 1)^2 rises with |Ms|. Few shares are above 0: only the `used` columns are
    solved for, then those that would still improve the fit are added.
    """
    count = matrix.shape[1]
    row = np.zeros(count) if row is None else row
    used = np.ones(count, dtype=bool) if used is None else used.copy()
    goal = np.zeros(len(matrix) + 2)
    goal[-1] = 1.0
    found = np.zeros(count)
    while True:
        own = matrix[:, used]
        rows = np.vstack((own, row[used], np.ones(own.shape[1])))
        part, _ = nnls(rows, goal, maxiter=100 * count)
        total, pulled = float(part.sum()), float(row[used] @ part)
        gains = 1 - total - row * pulled - matrix.T @ (own @ part)
        missing = ~used & (gains > GAIN * (1 + float(row @ row) * total))
        if not missing.any():
            found[used] = part / total
            return found
        used |= missing


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

    def first_reaching(self, chance: float) -> int:
        """Search the bins: their limits change at the first level of each."""
        bins = np.arange(self.channel.top + 1)
        place = first_place(len(bins) - 1, lambda bin: self.profile.reaches(bins <= bin, chance))
        return int(self.channel.edges[place])

    def last_after(self, chance: float) -> int:
        """Search the bins: their limits change at the last level of each."""
        bins = np.arange(self.channel.top + 1)
        place = first_place(
            len(bins) - 1, lambda bin: not self.profile.reaches(bins > bin, 1 - chance)
        )
        return int(self.channel.edges[place + 1]) - 1


def linear_limits(channel: GroupedChannel, counts: Array) -> FixedLimits:
    """Return the limits of F by unbiased scores: estimate +- z standard errors, within 0 .. 1.

    With options for silence F is a ratio, and the limits are Fieller's.
    """
    scores = np.cumsum(best_scores(channel)[:, : channel.top + 1], axis=1)
    has_silence = channel.truths > channel.top + 1
    low, high = (_ratio_ends if has_silence else _normal_ends)(scores, counts)
    # The limits at the ends of all bins, with F = 0 before the first and F = 1 after the last.
    lows = np.clip(np.concatenate(([0.0], low[:-1], [1.0])), 0, 1)
    highs = np.clip(np.concatenate(([0.0], high[:-1], [1.0])), 0, 1)
    levels = np.arange(channel.levels.top)
    whole = np.searchsorted(channel.edges, levels + 1, side="right") - 1
    touched = np.searchsorted(channel.edges, levels + 1, side="left")
    return FixedLimits(lows[whole], highs[touched])


def _normal_ends(scores: Array, counts: Array) -> tuple[Array, Array]:
    values = counts @ scores / counts.sum()
    half = normal_quantile(CONFIDENCE) * np.sqrt(average_variance(scores, counts, values))
    return values - half, values + half


def _ratio_ends(scores: Array, counts: Array) -> tuple[Array, Array]:
    """Divide by the last column, the share of all who answered; 0 and 1 if that has no end."""
    n = float(counts.sum())
    values = counts @ scores / n
    variances = average_variance(scores, counts, values)
    away = scores - values
    both = (counts * away[:, -1]) @ away / (n * max(n - 1, 1))
    base, base_variance = (np.full(len(values), each[-1]) for each in (values, variances))
    z = normal_quantile(CONFIDENCE)
    found = fieller(values, base, variances, base_variance, both, z)
    return np.nan_to_num(found.low, nan=0.0), np.nan_to_num(found.high, nan=1.0)
