"""Intervals for a share: for the reported share first, then mapped through the channel (math 7)."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from client.core.primitives.refusal import require
from estimators.shares.spread import Array, Counts, Number, clip_share, noise_per_respondent

# Below this many expected flips the normal approximation of the noise is not trusted (math 7).
LEAST_SPREAD_FOR_NORMAL = 10


@dataclass(frozen=True)
class Interval:
    """Closed, and honest about impossible shares: it may reach below 0 and above 1."""

    low: float
    high: float

    @property
    def clipped(self) -> "Interval":
        """The part within [0, 1], for display; the nearest end if there is no such part."""
        return Interval(clip_share(self.low), clip_share(self.high))

    @property
    def misses_unit(self) -> bool:
        """No possible share lies inside."""
        return self.high < 0 or self.low > 1

    def covers(self, value: float) -> bool:
        return self.low <= value <= self.high

    def scaled(self, factor: float) -> "Interval":
        """The interval in another unit: from shares to totals with factor n."""
        return Interval(self.low * factor, self.high * factor)

    def through_channel(self, p: float, q: float) -> "Interval":
        """From the share of reports that support an option to the share of the truth."""
        return Interval((self.low - q) / (p - q), (self.high - q) / (p - q))


def check_confidence(confidence: float) -> None:
    """A probability that is neither certain nor impossible."""
    require(
        # As close to 0 or 1 as a float can be, z would be 0 or infinite.
        isinstance(confidence, float) and 0.5 < (1 + confidence) / 2 < 1,
        "bad_confidence",
        f"confidence must be between 0 and 1, both excluded, got {confidence!r}",
        "confidence",
    )


def normal_quantile(confidence: float) -> float:
    """z such that a standard normal lies within -z .. z with this probability."""
    check_confidence(confidence)
    return float(special.ndtri((1 + confidence) / 2))


def wilson(count: int, n: int, confidence: float) -> Interval:
    """Wilson's score interval for the reported share (math 7)."""
    return Interval(*wilson_ends(float(count), float(n), confidence))


def wilson_ends(count: Number, n: Number, confidence: float) -> tuple[Number, Number]:
    """The same for one count, or for an array of them in one call."""
    z = normal_quantile(confidence)
    middle = (count + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * (count * (n - count) / n + z**2 / 4) ** 0.5
    return middle - half, middle + half


def clopper_pearson(count: int, n: int, confidence: float) -> Interval:
    """The guaranteed interval for the reported share: never covers less than promised (math 7)."""
    low, high = clopper_pearson_ends(np.array([count]), np.array([float(n)]), confidence)
    return Interval(float(low[0]), float(high[0]))


def clopper_pearson_ends(count: Counts, n: Array, confidence: float) -> tuple[Array, Array]:
    """The same for an array of counts."""
    check_confidence(confidence)
    tail = (1 - confidence) / 2
    # The beta quantiles have no limit where nobody or everybody reported it: 0 and 1 hold there.
    low = special.betaincinv(np.maximum(count, 1), n - count + 1, tail)
    high = special.betaincinv(count + 1, np.maximum(n - count, 1), 1 - tail)
    return np.where(count == 0, 0.0, low), np.where(count == n, 1.0, high)


def respondents(count: int, n: int, p: float, q: float, confidence: float) -> Interval:
    """For the share among these very respondents: only the randomizer is random (math 7)."""
    if n * min(p * (1 - p), q * (1 - q)) < LEAST_SPREAD_FOR_NORMAL:
        return clopper_pearson(count, n, confidence).through_channel(p, q)
    share = (count / n - q) / (p - q)
    noise = noise_per_respondent(clip_share(share), p, q)
    half = normal_quantile(confidence) * math.sqrt(noise / n)
    return Interval(share - half, share + half)


def bonferroni(confidence: float, intervals: int) -> float:
    """The confidence of each interval so that all hold at once: the union bound (math 7)."""
    normal_quantile(confidence)
    return 1 - (1 - confidence) / intervals


def sidak(confidence: float, intervals: int) -> float:
    """The same, slightly narrower; valid for correlated normal estimates (math 7)."""
    normal_quantile(confidence)
    return float(confidence ** (1 / intervals))


def hoeffding_margin(figures: int, n: float, chance: float) -> float:
    """None of so many shares of n reports is farther off its expectation, except with `chance`.

    sqrt(ln(2 figures/chance) / (2n)): Hoeffding's inequality and the union bound (math 7).
    """
    require(0 < chance < 1, "bad_chance", f"chance must be between 0 and 1, got {chance!r}")
    return math.sqrt(math.log(2 * figures / chance) / (2 * n)) if n else math.inf
