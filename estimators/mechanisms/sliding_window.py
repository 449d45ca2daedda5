"""Sliding window: the mean in closed form, any other target by the best score (math 5.2, 5.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from client.core.mechanisms import SlidingWindow
from estimators.counting.tally import Tally
from estimators.mechanisms.analysis import LevelAnalysis
from estimators.mechanisms.window_estimates import AnsweredEstimates, WindowEstimates
from estimators.ordinal.answered import Pair
from estimators.ordinal.em import best_scores, running
from estimators.shares.spread import Array, Counts


@dataclass(frozen=True)
class SlidingWindowAnalysis(LevelAnalysis[SlidingWindow]):
    """A report is a number near the truth, or stands for an option for silence."""

    rule = (
        "Levels go from 0 to `top`, reports from 0 to `top` + `width`. With probability T/2^32 "
        "the report is drawn evenly from level .. level + `width`, else from all others. Options "
        "for silence, if there are any, are numbered after the levels. Each has `width` + 1 "
        "reports of its own after those of the levels, and is drawn in the same way."
    )

    @property
    def top(self) -> int:
        return self.mechanism.top

    @property
    def truths(self) -> int:
        return self.mechanism.domain.count

    def estimates(self, tally: Tally, lo: float = 0.0, step: float = 1.0) -> WindowEstimates:
        kind = AnsweredEstimates if self.mechanism.silent else WindowEstimates
        return kind(self, tally, lo, step)

    def forward(self, shares: Array) -> Array:
        near, far = self._heights
        levels, silent = shares[: self.top + 1], shares[self.top + 1 :]
        sums = running(levels)
        first, last = self._inside
        inside = sums[last] - sums[first]
        if len(silent):
            inside = np.concatenate((inside, np.repeat(silent, self.mechanism.near, axis=0)))
        expected: Array = far * (sums[-1:] + silent.sum(axis=0)) + (near - far) * inside
        return expected

    def backward(self, ratio: Array) -> Array:
        near, far = self._heights
        starts, sums = self._starts, running(ratio)
        inside: Array = sums[starts + self.mechanism.near] - sums[starts]
        return far * sums[-1:] + (near - far) * inside

    @cached_property
    def _inside(self) -> tuple[Counts, Counts]:
        """For each report of levels, the first level whose window holds it, and the last plus 1."""
        places = np.arange(self._level_cells)
        return np.maximum(places - self.mechanism.width, 0), np.minimum(places, self.top) + 1

    @cached_property
    def _starts(self) -> Counts:
        """The first report of every truth's window."""
        return np.array([self.mechanism.start(truth) for truth in range(self.truths)])

    @cached_property
    def _heights(self) -> tuple[float, float]:
        """P(one given report) inside and outside the window (math 5.2)."""
        keep = float(self.mechanism.keep)
        return keep / self.mechanism.near, (1 - keep) / self.mechanism.far

    @property
    def _level_cells(self) -> int:
        """How many reports belong to windows of levels."""
        return self.top + self.mechanism.near

    def far_from_both(self) -> int:
        """Count the reports outside two windows that share none, if there are such windows."""
        return max(0, self.mechanism.far - self.mechanism.near)

    def lever(self) -> float:
        """The extreme scores of a mean that is itself anywhere in its range (math 5.2, 5.5)."""
        scores, answered = self.mean_scores(), self.answered_scores()
        ends = [scores - mean * answered for mean in (0, self.top)]
        return float(max(np.abs(end).max() for end in ends))

    def report_scores(self, reports: Sequence[Any]) -> Array:
        return best_scores(self)[self._cells(reports)]

    def value_scores(self, reports: Sequence[Any], values: Array) -> Array:
        """Return the scores of the mean, whose noise is smaller than that of the levels' shares.

        Silence counts as 0.
        """
        step = float(values[1] - values[0])
        scores = float(values[0]) * self.answered_scores() + step * self.mean_scores()
        return scores[self._cells(reports)]

    def answer_scores(self, reports: Sequence[Any]) -> Array | None:
        if not self.mechanism.silent:
            return None
        return self.answered_scores()[self._cells(reports)]

    def regression(self, id: str, covariates: str) -> list[str]:
        if self.mechanism.silent:
            return ["No regression: the answers of those who are silent are not known."]
        return [f'lm(mean_score(design["{id}", ], reports[["{id}"]]) ~ {covariates})']

    def promised_noise(self, shares: Array, n: int) -> Array:
        """Return n times the noise of the mean of those who answered (math 5.5)."""
        levels, places = shares[: self.top + 1], np.arange(self.top + 1)
        answered, first = float(levels.sum()), float(levels @ places)
        pair = self.pair_noise(answered, first, float(levels @ places**2))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.array([pair.of(first / answered)]) / answered**2

    def value_noise(self, truth: int, lo: float, step: float) -> float:
        return self._noise_of(truth).scaled(step, lo).part

    def answer_noise(self, truth: int) -> float:
        return self._noise_of(truth).base

    def _noise_of(self, truth: int) -> Pair:
        """Return the noise of one person at a level; a truth above the top is silence."""
        given = float(truth <= self.top)
        return self.pair_noise(given, given * truth, given * truth**2)

    def mean_scores(self) -> Array:
        """Return for each report its unbiased estimate of the level, 0 for silence (math 5.5)."""
        return self._unbiased(self._middles)

    def answered_scores(self) -> Array:
        """Return for each report its unbiased estimate of 1 for a level and 0 for silence."""
        return self._unbiased(np.ones(self._level_cells))

    def square_scores(self) -> Array:
        """Return for each report its unbiased estimate of the squared level, 0 for silence."""
        return self._unbiased(self._middles**2 - self._spread)

    def _unbiased(self, figures: Array) -> Array:
        """Debias figures of the levels' reports whose average over a window is what is wanted.

        A figure f has the expectation slope f(truth) + away sum(f), with f = 0 for silence.
        """
        slope, away = self._slope
        cells = np.concatenate((figures, np.zeros(self.mechanism.cells - len(figures))))
        scores: Array = (cells - away * figures.sum()) / slope
        return scores

    @property
    def _middles(self) -> Array:
        """The reports of levels, shifted so that the average over a window is its level."""
        return np.arange(self._level_cells, dtype=np.float64) - self.mechanism.width / 2

    @property
    def _spread(self) -> float:
        """The variance of an even draw from one window."""
        return self.mechanism.width * (self.mechanism.width + 2) / 12

    @property
    def _slope(self) -> tuple[float, float]:
        """How much of the truth is left in a report, and P(one given report) outside (math 5.2)."""
        _, away = self._heights
        return float(self.mechanism.keep) - away * self.mechanism.near, away

    def pair_noise(self, answered: float, first: float, second: float) -> Pair:
        """Return the noise of mean_scores and answered_scores per respondent (math 5.5).

        `answered` is the share who answered; `first` and `second` are the averages over everybody
        of the level and of its square, with 0 for silence.
        """
        slope, away = self._slope
        line, one = away * float(self._middles.sum()), away * self._level_cells
        square = away * float((self._middles**2).sum())
        inside = slope * (second + self._spread * answered)
        part = square - line**2 + inside - 2 * line * slope * first - slope**2 * second
        base = one - one**2 + slope * answered * (1 - 2 * one - slope)
        both = line - line * one + slope * (first * (1 - one - slope) - line * answered)
        return Pair(part, base, both).over(slope**2)
