"""Intervals for a share: for the reported share first, then mapped through the channel (math 7)."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from client.core.primitives.refusal import require
from estimators.shares.spread import Array, Counts, Number

# Beyond this an n means nothing, and a float no longer holds it exactly.
MAX_RESPONDENTS = 10**15
# Below this many expected flips the normal approximation of the noise is not trusted (math 7).
LEAST_SPREAD_FOR_NORMAL = 10


@dataclass(frozen=True)
class Interval:
    """Closed, and honest about impossible shares: it may reach below 0 and above 1."""

    low: float
    high: float

    def covers(self, value: float) -> bool:
        return self.low <= value <= self.high

    def scaled(self, factor: float) -> "Interval":
        """The interval in another unit: from shares to totals with factor n."""
        return Interval(self.low * factor, self.high * factor)


def check_confidence(confidence: float) -> None:
    """A probability that is neither certain nor impossible."""
    require(
        # As close to 0 or 1 as a float can be, z would be 0 or infinite.
        isinstance(confidence, float) and 0.5 < (1 + confidence) / 2 < 1,
        "bad_confidence",
        "confidence",
        confidence=confidence,
    )


def check_n(n: int) -> int:
    """A number of respondents that a plan or a promise can be about."""
    require(type(n) is int and 1 <= n <= MAX_RESPONDENTS, "bad_n.least", "respondents", n=n)
    return n


def normal_quantile(confidence: float) -> float:
    """z such that a standard normal lies within -z .. z with this probability."""
    check_confidence(confidence)
    return float(special.ndtri((1 + confidence) / 2))


def wilson_ends(count: Number, n: Number, confidence: float) -> tuple[Number, Number]:
    """Wilson's score interval for the reported share, of one count or of an array (math 7)."""
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
    require(0 < chance < 1, "bad_chance", chance=chance)
    return math.sqrt(math.log(2 * figures / chance) / (2 * n)) if n else math.inf
