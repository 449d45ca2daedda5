"""A mean of those who answered: a sum over everybody divided by the share who answered (math 5.5).

Silence counts as 0 in both. Sum and share come from the same reports, so they vary together.
"""

import math
from dataclasses import dataclass

import numpy as np

from estimators.confidence import CONFIDENCE
from estimators.ordinal.em import average_variance
from estimators.shares.intervals import Interval, normal_quantile
from estimators.shares.ratios import fieller
from estimators.shares.score import Score
from estimators.shares.spread import Array


@dataclass(frozen=True)
class Pair:
    """The variances of a sum and of the share who answered, and their covariance."""

    part: float
    base: float
    both: float

    def __add__(self, other: "Pair") -> "Pair":
        return Pair(self.part + other.part, self.base + other.base, self.both + other.both)

    def of(self, ratio: float) -> float:
        """Return the variance of the sum minus `ratio` times the share."""
        return self.part - 2 * ratio * self.both + ratio**2 * self.base

    def over(self, n: float) -> "Pair":
        return Pair(self.part / n, self.base / n, self.both / n)

    def scaled(self, factor: float, offset: float) -> "Pair":
        """Return the same if every answer is offset + factor times what it was."""
        part = factor**2 * self.part + 2 * factor * offset * self.both + offset**2 * self.base
        return Pair(part, self.base, factor * self.both + offset * self.base)

    def possible(self) -> "Pair":
        """Return it with a covariance that its variances, made 0 if negative, allow."""
        part, base = max(self.part, 0.0), max(self.base, 0.0)
        most = math.sqrt(part * base)
        return Pair(part, base, min(max(self.both, -most), most))


@dataclass(frozen=True)
class RatioScore(Score):
    """A mean among those who answered; NaN if nobody seems to have answered.

    `noise` and `sampling` are unbiased, `least` is the noise at the nearest possible truth. All
    possible means are in `reach`.
    """

    part: float
    base: float
    noise: Pair
    sampling: Pair
    least: Pair
    reach: Interval

    @classmethod
    def of(
        cls, part: float, base: float, noise: Pair, sampling: Pair, least: Pair, reach: Interval
    ) -> "RatioScore":
        """Return the ratio with the variances of its linear form, (part - ratio base)/base."""
        ratio, square = (part / base, base**2) if base > 0 else (math.nan, math.nan)
        error = math.sqrt(least.of(ratio) / square) if base > 0 else math.nan
        variances = noise.of(ratio) / square, sampling.of(ratio) / square
        return cls(ratio, *variances, error, part, base, noise, sampling, least, reach)

    def scaled(self, factor: float, offset: float = 0.0) -> "RatioScore":
        ends = sorted(offset + factor * end for end in (self.reach.low, self.reach.high))
        return RatioScore.of(
            factor * self.part + offset * self.base,
            self.base,
            self.noise.scaled(factor, offset),
            self.sampling.scaled(factor, offset),
            self.least.scaled(factor, offset),
            Interval(*ends),
        )

    @property
    def method(self) -> str:
        return "fieller"

    @property
    def is_known(self) -> bool:
        """Whether the share who answered is clearly above 0."""
        return self.least_answered > 0

    @property
    def least_answered(self) -> float:
        """The lower 95 % limit of the share who answered, as Fieller's set uses it."""
        error = math.sqrt((self.least + self.sampling.possible()).base)
        return self.base - normal_quantile(CONFIDENCE) * error

    @property
    def summed(self) -> Score:
        """The sum over everybody, per respondent: those who are silent add nothing."""
        error = math.sqrt(self.least.part)
        return Score(self.part, self.noise.part, self.sampling.part, error)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return Fieller's interval for the population."""
        return self._fieller(self.least + self.sampling.possible(), confidence)

    def respondents_interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return Fieller's interval for those of these very respondents who answered."""
        return self._fieller(self.least, confidence)

    def _fieller(self, spread: Pair, confidence: float) -> Interval:
        """Return all ratios that the reports do not exclude; all possible ones if none are."""
        ends = fieller_ends(self.part, self.base, spread, normal_quantile(confidence))
        return ends or self.reach


def fieller_ends(part: float, base: float, spread: Pair, z: float) -> Interval | None:
    """Return the ends of Fieller's set of ratios; None if it has none."""
    figures = (part, base, spread.part, spread.base, spread.both)
    one, other, *variances = (np.array([figure]) for figure in figures)
    found = fieller(one, other, variances[0], variances[1], variances[2], z)
    low, high = float(found.low[0]), float(found.high[0])
    return None if math.isnan(low) else Interval(low, high)


def pair_variance(part: Array, base: Array, counts: Array) -> Pair:
    """Return the variances of the averages of two scores of the same reports."""
    n = float(counts.sum())
    sums, share = float(counts @ part) / n, float(counts @ base) / n
    both = float(counts @ ((part - sums) * (base - share))) / (n * max(n - 1, 1))
    own = float(average_variance(part, counts, sums))
    return Pair(own, float(average_variance(base, counts, share)), both).possible()


def ratio_without(part: Array, base: Array, counts: Array, dropped: int) -> Interval | None:
    """Return the ends of the ratio if so many reports were dropped; None if it has no end.

    The best reports to drop for a ratio r are those with the smallest part - r base; r rises until
    it is the ratio that is left (Dinkelbach 1967).
    """
    if float(_kept(-base, counts, dropped) @ base) <= 0:
        return None
    high = _largest(part, base, counts, dropped)
    return Interval(-_largest(-part, base, counts, dropped), high)


def _largest(part: Array, base: Array, counts: Array, dropped: int) -> float:
    ratio = float(counts @ part / (counts @ base))
    while True:
        kept = _kept(part - ratio * base, counts, dropped)
        found = float(kept @ part / (kept @ base))
        if found <= ratio:
            return ratio
        ratio = found


def _kept(scores: Array, counts: Array, dropped: int) -> Array:
    """Return the counts without so many of the reports with the lowest scores."""
    order = np.argsort(scores, kind="stable")
    ordered = counts[order]
    gone = np.clip(dropped - (np.cumsum(ordered) - ordered), 0, ordered)
    kept = counts.copy()
    kept[order] -= gone
    return kept
