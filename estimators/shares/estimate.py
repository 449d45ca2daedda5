"""One option's estimate: unbiased total and share, both variances, intervals (math 0.5, 1, 3)."""

import math
from dataclasses import dataclass

from client.core.primitives.refusal import require
from estimators.shares import intervals, spread
from estimators.shares.intervals import Interval


@dataclass(frozen=True)
class Estimate:
    """What `reported` supporting reports out of `n` say about the truth.

    Nothing is clipped unless its name says so: a negative total is honest. Variances and errors
    are those of the share; times n^2, or times n, they are those of the total.
    """

    reported: int
    n: int
    p: float
    q: float
    # How many of the n reports say anything about this option (math 3); 0 means all of them.
    asked: int = 0

    def __post_init__(self) -> None:
        require(self.n >= 1, "no_reports", "an estimate needs at least one report", "n")
        require(
            0 <= self.asked <= self.n,
            "bad_counts",
            f"asked must be between 0 and n = {self.n}, got {self.asked}",
            "asked",
        )
        require(
            0 <= self.reported <= self.about,
            "bad_counts",
            f"reported must be between 0 and n = {self.about}, got {self.reported}",
            "reported",
        )
        require(
            0 <= self.q < self.p <= 1,
            "bad_channel",
            f"p must be above q, both within 0 and 1, got p = {self.p} and q = {self.q}",
            "p",
        )

    @property
    def about(self) -> int:
        """The reports that say anything about this option."""
        return self.asked or self.n

    @property
    def reported_share(self) -> float:
        """The share of reports that support the option, before any debiasing."""
        return self.reported / self.about

    @property
    def share(self) -> float:
        """The share of respondents whose truth is this option, unbiased (math 0.5, 3)."""
        return (self.reported - self.about * self.q) / (self.p - self.q) / self.about

    @property
    def total(self) -> float:
        """Respondents whose truth is this option: (c - nq)/(p - q), unbiased (math 0.5)."""
        if self.asked:
            return self.share * self.n
        return (self.reported - self.n * self.q) / (self.p - self.q)

    @property
    def clipped_total(self) -> float:
        """The nearest possible total, for display only: clipping biases (math 7)."""
        return self.clipped_share * self.n

    @property
    def clipped_share(self) -> float:
        """The nearest possible share, for display only: clipping biases (math 7)."""
        return spread.clip_share(self.share)

    @property
    def noise_variance(self) -> float:
        """Of the share, the answers fixed: randomizer and who was asked; unbiased (math 0.5, 3)."""
        return self._noise(self.share, self._truth)

    @property
    def sampling_variance(self) -> float:
        """Of the share, because the respondents are a sample; unbiased, so it may be negative.

        Together with noise_variance it is lam(1-lam)/((n-1)(p-q)^2), the unbiased estimate of
        the whole (math 0.5). One report shows no spread: then it is the largest possible, 1/4.
        """
        return self._truth / self.n

    @property
    def _truth(self) -> float:
        """Estimated share(1 - share)."""
        if self.about == 1:
            return 0.25
        return spread.truth_per_respondent(self.reported_share, float(self.about), self.p, self.q)

    def _noise(self, share: float, truth: float) -> float:
        randomizer = spread.noise_per_respondent(share, self.p, self.q)
        return (randomizer + (1 - self.about / self.n) * truth) / self.about

    @property
    def noise_error(self) -> float:
        """Standard error of the share as a statement about these very respondents."""
        return math.sqrt(self._noise(self.clipped_share, max(self._truth, 0.0)))

    @property
    def sampling_error(self) -> float:
        """The sample's part of the standard error; 0 where its variance estimate is negative."""
        return math.sqrt(max(self.sampling_variance, 0.0))

    @property
    def standard_error(self) -> float:
        """Standard error of the share as a statement about the population."""
        return math.hypot(self.noise_error, self.sampling_error)

    @property
    def design_effect(self) -> float:
        """How many times more respondents this protection costs (math 12)."""
        return spread.design_effect(self.clipped_share, self.p, self.q)

    @property
    def effective_n(self) -> float:
        """The unprotected sample that would say as much."""
        return self.about / self.design_effect

    @property
    def flag(self) -> bool:
        """Even the 95 % interval holds no possible share: chance or manipulation (math 7, 11)."""
        return self.interval().misses_unit

    def interval(self, confidence: float = 0.95) -> Interval:
        """For the share in the population: Wilson mapped through the channel (math 7)."""
        reported = intervals.wilson(self.reported, self.about, confidence)
        return reported.through_channel(self.p, self.q)

    def exact_interval(self, confidence: float = 0.95) -> Interval:
        """The guaranteed one: Clopper-Pearson mapped through the channel (math 7)."""
        reported = intervals.clopper_pearson(self.reported, self.about, confidence)
        return reported.through_channel(self.p, self.q)

    def total_interval(self, confidence: float = 0.95) -> Interval:
        """For the total among these very respondents: only the randomizer is random (math 7).

        Where only some were asked, the interval for the population is valid and little wider:
        asking a part of few people varies less than drawing from many (Hoeffding 1963).
        """
        if self.asked:
            return self.interval(confidence).scaled(self.n)
        share = intervals.respondents(self.reported, self.n, self.p, self.q, confidence)
        return share.scaled(self.n)

    def forgery_bound(self, forged: int) -> Interval:
        """How far this many forged reports can move the total, down and up (math 11)."""
        require(
            type(forged) is int and forged >= 0,
            "bad_forged",
            f"forged must be an integer of at least 0, got {forged!r}",
            "forged",
        )
        alpha = self.p - self.q
        lever = forged * self.n / self.about
        return Interval(-self.q / alpha, (1 - self.q) / alpha).scaled(lever)
