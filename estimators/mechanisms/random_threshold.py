"""Random threshold: the share at or above every level, hence any linear target (math 4, 5.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from client.core.mechanisms import RandomThreshold
from estimators.counting.tally import Tally
from estimators.mechanisms.analysis import LevelAnalysis, supported_regression
from estimators.ordinal.cumulative import Cumulative
from estimators.ordinal.em import running
from estimators.ordinal.levels import LevelEstimates, without_extremes
from estimators.ordinal.rising import RisingFit
from estimators.shares import spread
from estimators.shares.intervals import Interval
from estimators.shares.score import Score
from estimators.shares.spread import Array, Counts

# With fewer reports than this on some threshold the centred score is used (math 5.3).
LEAST_PER_THRESHOLD = 30


@dataclass(frozen=True)
class RandomThresholdAnalysis(LevelAnalysis[RandomThreshold]):
    """A report says whether the level is at least a random t."""

    rule = (
        "t is drawn evenly from 1 to `top`, whatever the truth. The report [t, bit] says whether "
        "the level is at least t: the truth with probability T/2^32, else the opposite."
    )

    @property
    def top(self) -> int:
        return self.mechanism.top

    @property
    def bit_chances(self) -> tuple[float, float]:
        """p and q of one bit."""
        return float(self.mechanism.p), float(self.mechanism.q)

    def estimates(self, tally: Tally, lo: float = 0.0, step: float = 1.0) -> "ThresholdEstimates":
        return ThresholdEstimates(self, tally, lo, step)

    def forward(self, shares: Array) -> Array:
        (p, q), sums = self.bit_chances, running(shares)
        total = sums[-1:]
        yes = q * total + (p - q) * (total - sums[1:-1])
        both = np.stack((total - yes, yes), axis=1)
        return both.reshape(2 * self.top, *shares.shape[1:]) / self.top

    def backward(self, ratio: Array) -> Array:
        p, q = self.bit_chances
        pairs = ratio.reshape(self.top, 2, *ratio.shape[1:])
        base: Array = (q * pairs[:, 1] + p * pairs[:, 0]).sum(axis=0, keepdims=True)
        return (base + running((p - q) * (pairs[:, 1] - pairs[:, 0]))) / self.top

    def promised_noise(self, shares: Array, n: int) -> Array:
        """Return the noise of the centred score if reports are few, else of the stratified one."""
        if n < LEAST_PER_THRESHOLD * self.top:
            return super().promised_noise(shares, n)
        p, q = self.bit_chances
        reached = q + (p - q) * np.cumsum(shares[::-1])[:-1]
        levels = np.arange(self.top + 1)
        truth = float(shares @ levels**2 - (shares @ levels) ** 2)
        return np.array([self.top * float((reached * (1 - reached)).sum()) / (p - q) ** 2 - truth])

    def far_from_both(self) -> int:
        """Return 0: one of two different bits is near to every report."""
        return 0

    def lever(self) -> float:
        """Of each threshold's own share, summed, if all thresholds are asked equally often."""
        return self.top * self.bit_lever()

    def centred_lever(self) -> float:
        """Of the centred score, with few reports (math 5.3)."""
        return self.top * (self.bit_lever() + 0.5 - 1 / (self.top + 1))

    def bit_lever(self) -> float:
        """Of the share at or above one threshold, as of any yes/no question."""
        p, q = self.bit_chances
        return max(p, 1 - q) / float(self.mechanism.alpha)

    def report_scores(self, reports: Sequence[Any]) -> Array:
        """Return the centred scores of every level's share (math 5.3).

        Level v begins at the threshold v and ends at v + 1, so a report about t moves two shares.
        """
        thresholds, reached = self._reached(reports)
        scores = np.full((len(reports), self.top + 1), 1 / (self.top + 1))
        rows = np.arange(len(reports))
        scores[rows, thresholds] += reached
        scores[rows, thresholds - 1] -= reached
        return scores

    def value_scores(self, reports: Sequence[Any], values: Array) -> Array:
        """Return the same as from the levels' scores, without a column per level."""
        thresholds, reached = self._reached(reports)
        scores: Array = values.mean() + reached * (values[thresholds] - values[thresholds - 1])
        return scores

    def _reached(self, reports: Sequence[Any]) -> tuple[Counts, Array]:
        """Return each report's threshold, and what it says about reaching it (math 5.3)."""
        (p, q), top = self.bit_chances, self.top
        cells = self._cells(reports)
        thresholds, bits = cells // 2 + 1, cells % 2
        return thresholds, top * ((bits - q) / (p - q) - (top + 1 - thresholds) / (top + 1))

    def drawn(self, tally: Tally) -> Counts:
        asked: Counts = np.array(tally.counts, dtype=np.int64).reshape(-1, 2).sum(axis=1)
        return asked

    def regression(self, id: str, covariates: str) -> list[str]:
        """Return the R calls that fit a model of reaching a level in the middle."""
        level = (self.top + 1) // 2
        meaning = f"at least level {level}"
        return supported_regression(self.mechanism, id, level, meaning, covariates)

    def reports(self) -> list[list[int]]:
        return [[t, bit] for t in range(1, self.top + 1) for bit in (0, 1)]


@dataclass(frozen=True)
class ThresholdEstimates(LevelEstimates):
    """Estimates from reports that each answer "at least t?" for one t."""

    channel: RandomThresholdAnalysis

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        """For t = 1 .. top the reports that say yes, and all reports about t."""
        counts = np.array(self.tally.counts, dtype=np.float64).reshape(-1, 2)
        return counts[:, 1], counts.sum(axis=1)

    def _cumulative(self) -> Cumulative:
        (p, q), (yes, asked) = self.channel.bit_chances, self._cells
        fit = RisingFit(asked - yes, asked, p, q)
        return Cumulative(fit.fitted, [fit])

    def _mean(self) -> Score:
        return self._score(np.arange(self.top + 1, dtype=np.float64))

    def _score(self, target: Array) -> Score:
        """Return target_0 + sum_t (target_t - target_(t-1)) S(t), one term per step."""
        steps = np.diff(target)
        estimate = self._stratified if self._is_stratified(steps != 0) else self._centred
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

    def _is_stratified(self, used: Array | bool) -> bool:
        """Enough reports are about each of the thresholds that count."""
        _, asked = self._cells
        return bool(((asked >= LEAST_PER_THRESHOLD) | np.logical_not(used)).all())

    def _forged_move(self, forged: int) -> float:
        if not self._is_stratified(True):
            return forged / self.n * self.channel.centred_lever()
        _, asked = self._cells
        return self.channel.bit_lever() * self._largest_part(forged, asked)

    def _without_forged(self, forged: int) -> Interval:
        """Exact for the centred score; else a bound, since c/(n-m) <= (c+m)/n for m <= n-c."""
        if not self._is_stratified(True):
            said_no, said_yes = self._centred_scores(0.0, np.ones(self.top))
            scores = np.stack((said_no, said_yes), axis=1).ravel()
            return without_extremes(scores, np.array(self.tally.counts, np.float64), forged)
        (p, q), (yes, asked) = self.channel.bit_chances, self._cells
        value = self._mean().value
        down, up = (self._largest_part(forged, room) / (p - q) for room in (yes, asked - yes))
        return Interval(value - down, value + up)

    def _largest_part(self, forged: int, room: Array) -> float:
        """Return the largest sum of m_t/n_t for m_t <= room_t forged: the rarest t first."""
        _, asked = self._cells
        order = np.argsort(asked)
        room = room[order]
        taken = np.clip(forged - (np.cumsum(room) - room), 0, room)
        return float((taken / asked[order]).sum())

    def _stratified(self, start: float, steps: Array) -> tuple[float, float, float]:
        """Sum each threshold's own share: value, variance, and the bits' part of it (math 4)."""
        (p, q), (yes, asked) = self.channel.bit_chances, self._cells
        used = steps != 0
        steps, yes, asked = steps[used], yes[used], asked[used]
        lam = yes / asked
        whole = steps**2 @ (lam * (1 - lam) / (asked - 1)) / (p - q) ** 2
        least = steps**2 @ (spread.noise_per_respondent(lam, p, q) / asked)
        return float(start + steps @ ((lam - q) / (p - q))), float(whole), float(least)

    def _centred(self, start: float, steps: Array) -> tuple[float, float, float]:
        """Average scores centred on an even distribution, unbiased for any counts (math 5.3)."""
        (p, q), (yes, asked) = self.channel.bit_chances, self._cells
        said_no, said_yes = self._centred_scores(start, steps)
        value = float(yes @ said_yes + (asked - yes) @ said_no) / self.n
        squares = float(yes @ (said_yes - value) ** 2 + (asked - yes) @ (said_no - value) ** 2)
        least = self.top * float(steps @ steps) * spread.noise_per_respondent(0.5, p, q) / self.n
        return value, squares / (max(self.n - 1, 1) * self.n), least

    def _centred_scores(self, start: float, steps: Array) -> tuple[Array, Array]:
        """Return the scores of no and of yes for every threshold."""
        (p, q), top = self.channel.bit_chances, self.top
        centre = (top + 1 - np.arange(1, top + 1)) / (top + 1)
        base = start + float(steps @ centre)
        said_no: Array = base + top * steps * (-q / (p - q) - centre)
        said_yes: Array = base + top * steps * ((1 - q) / (p - q) - centre)
        return said_no, said_yes
