"""Random threshold: the share at or above every level, hence any linear target (math 4, 5.3)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.mechanisms import RandomThreshold
from estimators.ordinal.levels import Cdf, LevelEstimates
from estimators.shares import spread
from estimators.shares.estimate import Estimate
from estimators.shares.intervals import wilson_ends
from estimators.shares.possible import isotonic
from estimators.shares.score import Score
from estimators.shares.spread import Array

# With fewer reports on some threshold the centred score is used (math 5.3).
LEAST_PER_THRESHOLD = 30


@dataclass(frozen=True)
class ThresholdEstimates(LevelEstimates):
    """Every report answers "at least t?" for one t."""

    mechanism: RandomThreshold

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        """For t = 1 .. top the reports that say yes, and all reports about t."""
        counts = np.array(self.tally.counts, dtype=np.float64).reshape(-1, 2)
        return counts[:, 1], counts.sum(axis=1)

    @property
    def _channel(self) -> tuple[float, float]:
        return float(self.mechanism.p), float(self.mechanism.q)

    @property
    def survival(self) -> tuple[Estimate | None, ...]:
        """P(level >= t) for t = 1 .. top; None where nobody was asked about t."""
        p, q = self._channel
        return tuple(
            Estimate(int(yes), self.n, p, q, int(asked) if asked < self.n else 0) if asked else None
            for yes, asked in zip(*self._cells, strict=True)
        )

    def cdf(self, confidence: float = 0.95) -> Cdf:
        """From the thresholds; where nobody was asked, the interval is all of 0 to 1."""
        (p, q), (yes, asked) = self._channel, self._cells
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = 1 - (yes / asked - q) / (p - q)
            low, high = wilson_ends(asked - yes, asked, confidence)
        ends = [(end - q) / (p - q) for end in (low, high)]
        known = np.where(asked > 0, shares, 0.5)
        return Cdf(
            shares,
            np.where(asked > 0, ends[0], 0.0),
            np.where(asked > 0, ends[1], 1.0),
            np.clip(isotonic(known, asked), 0.0, 1.0),
            "wilson",
        )

    def _mean(self) -> Score:
        return self._score(np.arange(self.top + 1, dtype=np.float64))

    def _score(self, target: Array) -> Score:
        """target_0 + sum_t (target_t - target_(t-1)) S(t), one term per step."""
        steps = np.diff(target)
        _, asked = self._cells
        stratified = bool((asked[steps != 0] >= LEAST_PER_THRESHOLD).all())
        estimate = self._stratified if stratified else self._centred
        value, whole, least = estimate(target[0], steps)
        square, *_ = estimate(target[0] ** 2, np.diff(target**2))
        truth = square - value**2 + whole
        possible = min(max(truth, 0.0), float(np.ptp(target)) ** 2 / 4)
        return Score(
            value=value,
            noise_variance=whole - truth / self.n,
            sampling_variance=truth / self.n,
            noise_error=max(whole - possible / self.n, least) ** 0.5,
        )

    def _stratified(self, start: float, steps: Array) -> tuple[float, float, float]:
        """Each threshold's own share, summed: value, variance, the bits' part of it (math 4)."""
        (p, q), (yes, asked) = self._channel, self._cells
        used = steps != 0
        steps, yes, asked = steps[used], yes[used], asked[used]
        lam = yes / asked
        whole = steps**2 @ (lam * (1 - lam) / (asked - 1)) / (p - q) ** 2
        least = steps**2 @ (spread.noise_per_respondent(lam, p, q) / asked)
        return float(start + steps @ ((lam - q) / (p - q))), float(whole), float(least)

    def _centred(self, start: float, steps: Array) -> tuple[float, float, float]:
        """The score around an even distribution, unbiased for any counts (math 5.3)."""
        (p, q), (yes, asked) = self._channel, self._cells
        top = self.top
        centre = (top + 1 - np.arange(1, top + 1)) / (top + 1)
        base = start + float(steps @ centre)
        said_yes = base + top * steps * ((1 - q) / (p - q) - centre)
        said_no = base + top * steps * (-q / (p - q) - centre)
        value = float(yes @ said_yes + (asked - yes) @ said_no) / self.n
        squares = float(yes @ (said_yes - value) ** 2 + (asked - yes) @ (said_no - value) ** 2)
        least = top * float(steps @ steps) * spread.noise_per_respondent(0.5, p, q) / self.n
        return value, squares / (max(self.n - 1, 1) * self.n), least
