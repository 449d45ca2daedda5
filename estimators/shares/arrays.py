"""The shares of all options of one question as arrays: every formula once (math 0.5, 1, 3, 7)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import require
from estimators.confidence import CONFIDENCE
from estimators.shares import spread
from estimators.shares.intervals import (
    LEAST_SPREAD_FOR_NORMAL,
    clopper_pearson_ends,
    normal_quantile,
    wilson_ends,
)
from estimators.shares.spread import Array, Counts


@dataclass(frozen=True)
class ShareArrays:
    """What the reports that support each option, out of `n`, say about the truth.

    Nothing is clipped unless its name says so: a negative total is honest. Variances and errors
    are those of the shares; multiply by n^2, or by n, for the totals. All are NaN for a box that
    nobody was asked about.
    """

    # Reports that support each option, and reports that are about it (math 3).
    reported: Counts
    asked: Counts
    n: int
    # P(a report supports an option) if it is the truth, and if another one is.
    p: float
    q: float

    def __post_init__(self) -> None:
        require(self.n >= 1, "no_reports.estimate", "n")
        asked = (self.asked >= 0) & (self.asked <= self.n)
        require(bool(asked.all()), "bad_counts.asked", "asked", n=self.n)
        reported = (self.reported >= 0) & (self.reported <= self.asked)
        require(bool(reported.all()), "bad_counts.reported", "reported")
        require(0 <= self.q < self.p <= 1, "bad_channel", "p", p=self.p, q=self.q)

    @cached_property
    def _about(self) -> Array:
        """`asked`, but NaN instead of 0, so that everything divided by it is NaN as well."""
        return np.where(self.asked > 0, self.asked, np.nan)

    @cached_property
    def reported_shares(self) -> Array:
        """The shares of reports that support each option, before debiasing."""
        return self.reported / self._about

    @cached_property
    def shares(self) -> Array:
        """The shares of respondents whose truth is each option, unbiased (math 0.5, 3)."""
        return (self.reported_shares - self.q) / (self.p - self.q)

    @property
    def totals(self) -> Array:
        """The numbers of respondents whose truth is each option, unbiased."""
        return self.shares * self.n

    @property
    def total_errors(self) -> Array:
        """Standard errors of the totals about the population: of both variances together."""
        whole = self.noise_variances + self.sampling_variances
        # Reports that all agree show no spread; rounding must not make that negative.
        return self.n * np.sqrt(np.maximum(whole, 0.0))

    def without_forged(self, forged: Counts) -> tuple[Array, Array]:
        """Return the ends of the shares that the honest reports alone would give (math 11).

        Plain arithmetic: so many of the reports about each option are left out, whichever they are.
        """
        honest = np.where(self.asked > forged, self.asked - forged, np.nan)
        low = np.maximum(self.reported - forged, 0) / honest
        high = np.minimum(self.reported, honest) / honest
        return (low - self.q) / (self.p - self.q), (high - self.q) / (self.p - self.q)

    def forged_moves(self, forged: Counts) -> Array:
        """Return how far so many forged reports about each option move its expected share."""
        moves: Array = forged / self._about * spread.share_lever(self.p, self.q)
        return moves

    def clipped(self) -> Array:
        """Return each option's nearest possible share; for display only: clipping biases."""
        return np.clip(self.shares, 0.0, 1.0)

    @property
    def possible_shares(self) -> Array:
        """The possible shares nearest to the estimates, for display only (math 7)."""
        return self.clipped()

    @cached_property
    def _truths(self) -> Array:
        """Estimated share(1 - share) of each option; from one report, the largest possible."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = spread.truth_per_respondent(self.reported_shares, self._about, self.p, self.q)
        return np.where(self.asked == 1, 0.25, found)

    def _noise(self, shares: Array, truths: Array) -> Array:
        randomizer = spread.noise_per_respondent(shares, self.p, self.q)
        return (randomizer + (1 - self._about / self.n) * truths) / self._about

    @property
    def noise_variances(self) -> Array:
        """Variances from the randomizer and from who was asked; unbiased (math 0.5, 3)."""
        return self._noise(self.shares, self._truths)

    @property
    def sampling_variances(self) -> Array:
        """Variances because respondents are a sample; unbiased, so they may be negative.

        Added to noise_variances they are lam(1-lam)/((n-1)(p-q)^2), the unbiased estimate of both
        (math 0.5). One report shows no spread; then 1/4, the largest possible, is used.
        """
        return self._truths / self.n

    @property
    def noise_errors(self) -> Array:
        """Standard errors of statements about these very respondents."""
        return np.sqrt(self._noise(self.clipped(), np.maximum(self._truths, 0.0)))

    @property
    def sampling_errors(self) -> Array:
        """The sample's part of the standard errors; 0 where its variance is negative."""
        return np.sqrt(np.maximum(self.sampling_variances, 0.0))

    @property
    def standard_errors(self) -> Array:
        """Standard errors of statements about the population."""
        return np.hypot(self.noise_errors, self.sampling_errors)

    @property
    def design_effects(self) -> Array:
        """How many times as many respondents this protection costs (math 12)."""
        truths = spread.sampling_per_respondent(self.clipped())
        return spread.design_effect(self.n * self._noise(self.clipped(), truths), truths)

    @property
    def effective_n(self) -> Array:
        """The effective sample sizes; NaN where the design effect is infinite."""
        effects = self.design_effects
        return np.where(np.isfinite(effects), self.n / effects, np.nan)

    @property
    def flags(self) -> NDArray[np.bool_]:
        """Whether no possible share is in the default interval: chance or forgery (math 7, 11)."""
        low, high = self.intervals()
        return (high < 0) | (low > 1)

    def intervals(self, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
        """Return lows and highs for the population: Wilson, mapped through the channel (math 7).

        Each interval holds by itself; `bonferroni` makes them hold together.
        """
        return self._through_channel(
            *wilson_ends(self.reported.astype(np.float64), self._about, confidence)
        )

    def exact_intervals(self, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
        """Return guaranteed lows and highs for the population: Clopper-Pearson (math 7)."""
        ends = clopper_pearson_ends(self.reported, self._about, confidence)
        return self._through_channel(*ends)

    def respondents_intervals(self, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
        """Return lows and highs for these very respondents: only the randomizer is random (math 7).

        If only some were asked about a box, these are the intervals for the population: asking some
        of a few people varies less than drawing from many (Hoeffding 1963).
        """
        if bool((self.asked < self.n).any()):
            return self.intervals(confidence)
        spread_of_reports = min(self.p * (1 - self.p), self.q * (1 - self.q))
        if self.n * spread_of_reports < LEAST_SPREAD_FOR_NORMAL:
            return self.exact_intervals(confidence)
        half = normal_quantile(confidence) * self.noise_errors
        return self.shares - half, self.shares + half

    def _through_channel(self, low: Array, high: Array) -> tuple[Array, Array]:
        return (low - self.q) / (self.p - self.q), (high - self.q) / (self.p - self.q)
