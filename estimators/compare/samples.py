"""What a group's reports say about one figure: a share through its channel, or a mean of scores."""

import math
from dataclasses import dataclass

from scipy import special

from client.core.primitives.refusal import require
from estimators.confidence import CONFIDENCE
from estimators.ordinal.answered import Pair, fieller_ends, pair_variance
from estimators.shares.intervals import Interval, check_confidence, wilson_ends
from estimators.shares.spread import Array

# With fewer reports that support an option, or that do not, the variance says too little.
FEW_REPORTS = 5


@dataclass(frozen=True)
class Outcome:
    """The outcome of a test: its statistic, its degrees of freedom if any, and its p-value.

    `statistic` is None for an exact test. `small_counts` says that an expected count of the table
    of reports is below 5.
    """

    method: str
    statistic: float | None
    p_value: float
    df: float | None = None
    second_df: float | None = None
    small_counts: bool = False


@dataclass(frozen=True)
class ShareSample:
    """The reports of one group about one option: `count` of `n` support it.

    A report supports the option with probability p if it is the truth and q if not. A foreign
    design may have p below q.
    """

    count: int
    n: int
    p: float
    q: float

    def __post_init__(self) -> None:
        require(self.n >= 2, "too_few_reports.group", "n", n=self.n)
        require(0 <= self.count <= self.n, "bad_counts.reported", "reported")
        require(self.p != self.q, "bad_channel", "p", p=self.p, q=self.q)

    @property
    def reported(self) -> float:
        """The share of reports that support the option."""
        return self.count / self.n

    @property
    def slope(self) -> float:
        return self.p - self.q

    @property
    def value(self) -> float:
        """The estimated share, unbiased and unclipped (math 0.5)."""
        return (self.reported - self.q) / self.slope

    @property
    def variance(self) -> float:
        """The unbiased variance of the estimated share, for the population (math 0.5)."""
        return self.reported * (1 - self.reported) / ((self.n - 1) * self.slope**2)

    def ratio_variance(self, z: float) -> float:
        """Return the variance for Fieller's set (math 14).

        With few reports on one side it would be close to 0, so z^2 reports are added, half yes.
        """
        if min(self.count, self.n - self.count) >= FEW_REPORTS:
            return self.variance
        n = self.n + z**2
        reported = (self.count + z**2 / 2) / n
        return reported * (1 - reported) / (n * self.slope**2)

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return Wilson's interval, mapped through the channel (math 7)."""
        ends = wilson_ends(float(self.count), float(self.n), confidence)
        low, high = sorted((end - self.q) / self.slope for end in ends)
        return Interval(low, high)


@dataclass(frozen=True)
class ScoreSample:
    """The unbiased scores of one group's reports: how many, their mean, their variance."""

    n: int
    value: float
    score_variance: float

    def __post_init__(self) -> None:
        require(self.n >= 2, "too_few_reports.group", "n", n=self.n)

    @classmethod
    def of(cls, scores: Array, counts: Array) -> "ScoreSample":
        """Return the sample in which each score occurs so many times."""
        n = float(counts.sum())
        require(n >= 2, "too_few_reports.group", "n", n=int(n))
        value = float(counts @ scores) / n
        squares = float(counts @ (scores - value) ** 2)
        return cls(int(n), value, squares / (n - 1))

    @property
    def variance(self) -> float:
        """The unbiased variance of the mean."""
        return self.score_variance / self.n

    def ratio_variance(self, z: float) -> float:
        """Return the variance for Fieller's set."""
        return self.variance

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval by Student's t."""
        half = t_quantile(confidence, self.n - 1) * math.sqrt(self.variance)
        return Interval(self.value - half, self.value + half)


@dataclass(frozen=True)
class RatioSample(ScoreSample):
    """The mean of those in one group who answered, by the linear form of the ratio (math 5.5)."""

    part: float
    base: float
    spread: Pair
    # All possible means.
    reach: Interval

    @classmethod
    def of_ratio(cls, scores: Array, base: Array, counts: Array, reach: Interval) -> "RatioSample":
        """Return the sample of scores and of "answered" in the same reports."""
        n = float(counts.sum())
        require(n >= 2, "too_few_reports.group", "n", n=int(n))
        part, share = float(counts @ scores) / n, float(counts @ base) / n
        spread = pair_variance(scores, base, counts)
        ratio = part / share if share > 0 else math.nan
        variance = n * spread.of(ratio) / share**2 if share > 0 else math.nan
        return cls(int(n), ratio, variance, part, share, spread, reach)

    @property
    def is_known(self) -> bool:
        """Whether the share who answered is clearly above 0."""
        half = t_quantile(CONFIDENCE, self.n - 1) * math.sqrt(self.spread.base)
        return self.base > half

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return Fieller's interval; if it has no end, everything that is possible."""
        z = t_quantile(confidence, self.n - 1)
        return fieller_ends(self.part, self.base, self.spread, z) or self.reach


Sample = ShareSample | ScoreSample


def t_quantile(confidence: float, df: float) -> float:
    """Return t such that Student's variable lies in -t .. t with this probability."""
    check_confidence(confidence)
    return float(special.stdtrit(df, (1 + confidence) / 2))
