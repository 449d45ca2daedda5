"""Intervals for a share: first for the reported share, then mapped through the channel (math 7)."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from client.core.primitives.refusal import require
from estimators.shares.spread import Array, Counts, Number

# A larger n has no meaning, and a float no longer holds it exactly.
MAX_RESPONDENTS = 10**15
# With fewer expected flips the normal approximation of the noise is not used (math 7).
LEAST_SPREAD_FOR_NORMAL = 10


@dataclass(frozen=True)
class Interval:
    """A closed interval; it may reach below 0 and above 1, beyond what a share can be."""

    low: float
    high: float

    def scaled(self, factor: float) -> "Interval":
        """Return the interval in another unit: from shares to totals with factor n."""
        return Interval(self.low * factor, self.high * factor)


def check_confidence(confidence: float) -> None:
    """Raise unless the confidence is above 0 and below 1."""
    require(
        # Too close to 0 or 1 for a float, z would be 0 or infinite.
        isinstance(confidence, float) and 0.5 < (1 + confidence) / 2 < 1,
        "bad_confidence",
        "confidence",
        confidence=confidence,
    )


def check_n(n: int) -> int:
    """Raise unless n is a number of respondents that a plan can be about; return it."""
    require(type(n) is int and 1 <= n <= MAX_RESPONDENTS, "bad_n.least", "respondents", n=n)
    return n


def normal_quantile(confidence: float) -> float:
    """Return z such that a standard normal lies in -z .. z with this probability."""
    check_confidence(confidence)
    return float(special.ndtri((1 + confidence) / 2))


def wilson_ends(count: Number, n: Number, confidence: float) -> tuple[Number, Number]:
    """Return Wilson's score interval for the reported share, for one count or an array (math 7)."""
    z = normal_quantile(confidence)
    middle = (count + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * (count * (n - count) / n + z**2 / 4) ** 0.5
    return middle - half, middle + half


def clopper_pearson(count: int, n: int, confidence: float) -> Interval:
    """Return the interval for the reported share that never covers less than promised (math 7)."""
    low, high = clopper_pearson_ends(np.array([count]), np.array([float(n)]), confidence)
    return Interval(float(low[0]), float(high[0]))


def clopper_pearson_ends(count: Counts, n: Array, confidence: float) -> tuple[Array, Array]:
    """Return lows and highs of the Clopper-Pearson intervals for an array of counts."""
    check_confidence(confidence)
    tail = (1 - confidence) / 2
    # The beta quantile is undefined if nobody or everybody reported it: the ends are 0 and 1.
    low = special.betaincinv(np.maximum(count, 1), n - count + 1, tail)
    high = special.betaincinv(count + 1, np.maximum(n - count, 1), 1 - tail)
    return np.where(count == 0, 0.0, low), np.where(count == n, 1.0, high)


def bonferroni(confidence: float, intervals: int) -> float:
    """Return the confidence per interval at which all hold at once, by the union bound (math 7)."""
    normal_quantile(confidence)
    return 1 - (1 - confidence) / intervals


def hoeffding_margin(figures: int, n: float, chance: float) -> float:
    """Return how far any of these shares may be off its expectation, except with this chance.

    sqrt(ln(2 figures/chance) / (2n)): Hoeffding's inequality and the union bound (math 7).
    """
    require(0 < chance < 1, "bad_chance", chance=chance)
    return math.sqrt(math.log(2 * figures / chance) / (2 * n)) if n else math.inf


def fieller_terms(
    part: Number,
    base: Number,
    part_variance: Number,
    base_variance: Number,
    both: Number,
    z: float,
) -> tuple[Number, Number, Number]:
    """Return a, b and c of Fieller's set of ratios: all r with a r^2 - 2 b r + c <= 0.

    For these r, part - r base is at most z times its standard error away from 0; `both` is the
    covariance of part and base (math 14, 15). If a is not positive, the set has no end.
    """
    return (
        base**2 - z**2 * base_variance,
        part * base - z**2 * both,
        part**2 - z**2 * part_variance,
    )
