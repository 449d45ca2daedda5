"""Sliding window: the mean in closed form, any other linear target by the best score (math 5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from client.core.mechanisms import SlidingWindow
from client.core.primitives.refusal import require
from estimators.counting.tally import Tally
from estimators.mechanisms.analysis import LevelAnalysis
from estimators.ordinal.cumulative import Cumulative, Limits
from estimators.ordinal.em import GroupedChannel, average_variance, best_scores, running
from estimators.ordinal.levels import MAX_LEVELS, LevelEstimates, without_extremes
from estimators.ordinal.profile import Profile, ProfileLimits, linear_limits
from estimators.shares.intervals import Interval
from estimators.shares.score import Score
from estimators.shares.spread import Array

# Up to this epsilon the profile's limits are taken alone (math 5).
PROFILE_ALONE = 2.5


@dataclass(frozen=True)
class SlidingWindowAnalysis(LevelAnalysis[SlidingWindow]):
    """A report is a number near the truth."""

    rule = (
        "Levels go from 0 to `top`, reports from 0 to `top` + `width`. With probability T/2^32 "
        "the report is drawn evenly from level .. level + `width`, else from all others."
    )

    @property
    def top(self) -> int:
        return self.mechanism.top

    def estimates(self, tally: Tally, lo: float = 0.0, step: float = 1.0) -> "WindowEstimates":
        return WindowEstimates(self, tally, lo, step)

    def forward(self, shares: Array) -> Array:
        near, far = self._heights
        sums, places = running(shares), np.arange(self.mechanism.cells)
        first = np.maximum(places - self.mechanism.width, 0)
        inside = sums[np.minimum(places, self.top) + 1] - sums[first]
        expected: Array = far * sums[-1:] + (near - far) * inside
        return expected

    def backward(self, ratio: Array) -> Array:
        near, far = self._heights
        sums, levels = running(ratio), np.arange(self.top + 1)
        inside = sums[levels + self.mechanism.width + 1] - sums[levels]
        return far * sums[-1:] + (near - far) * inside

    @property
    def _heights(self) -> tuple[float, float]:
        """P(one given report) inside and outside the window (math 5.2)."""
        keep = float(self.mechanism.keep)
        return keep / self.mechanism.near, (1 - keep) / self.mechanism.far

    def far_from_both(self) -> int:
        """Count the reports outside the windows of the lowest and of the highest level."""
        return max(0, self.top - self.mechanism.width - 1)

    def lever(self) -> float:
        """The first and the last number that can be sent have the extreme scores (math 5.2)."""
        scores = self.mean_scores()
        return max(float(scores[-1]), self.top - float(scores[0]))

    def report_scores(self, reports: Sequence[Any]) -> Array:
        return best_scores(self)[self._cells(reports)]

    def value_scores(self, reports: Sequence[Any], values: Array) -> Array:
        """Return the scores of the mean, whose noise is smaller than that of the levels' shares."""
        step = float(values[1] - values[0])
        return float(values[0]) + step * self.mean_scores()[self._cells(reports)]

    def regression(self, id: str, covariates: str) -> list[str]:
        return [f'lm(mean_score(design["{id}", ], reports[["{id}"]]) ~ {covariates})']

    def mean_scores(self) -> Array:
        """Return for each report its unbiased estimate of the level (math 5.2)."""
        slope, intercept, _ = self._moments
        places = np.arange(self.mechanism.cells, dtype=np.float64)
        return (places - intercept) / slope - self.mechanism.width / 2

    def square_scores(self) -> Array:
        """Return unbiased squared levels: E(y^2) = slope (w(w+2)/12 + mu^2) + rest (math 5.2)."""
        slope, _, rest = self._moments
        width, places = self.mechanism.width, np.arange(self.mechanism.cells, dtype=np.float64)
        middles = (places**2 - rest) / slope - width * (width + 2) / 12
        return middles - width * self.mean_scores() - width**2 / 4

    @property
    def _moments(self) -> tuple[float, float, float]:
        """Slope and intercept of E(y) in the middle of the window, and the rest of E(y^2)."""
        top, width, keep = self.top, self.mechanism.width, float(self.mechanism.keep)
        last = top + width
        first_sum = last * (last + 1) / 2
        away = (1 - keep) / top
        return keep - away * (width + 1), away * first_sum, away * first_sum * (2 * last + 1) / 3


@dataclass(frozen=True)
class WindowEstimates(LevelEstimates):
    """Estimates from reports that are numbers near the truth."""

    channel: SlidingWindowAnalysis

    @cached_property
    def _reports(self) -> Array:
        return np.array(self.tally.counts, dtype=np.float64)

    @property
    def ordered_counts(self) -> Array:
        return self._reports

    def _mean(self) -> Score:
        """Average (y - intercept)/slope - w/2; its noise is quadratic in the level (math 5.2)."""
        scores = self.channel.mean_scores()
        value = float(self._reports @ scores) / self.n
        whole = float(average_variance(scores, self._reports, value))
        square = float(self._reports @ self.channel.square_scores()) / self.n
        none, one, two = (self.channel.mechanism.noise(level) for level in range(3))
        bend = (two - 2 * one + none) / 2
        tilt = one - none - bend
        noise = (none + tilt * value + bend * square) / self.n
        near = min(max(value, 0.0), float(self.top))
        # Possible spreads: from everybody at one level to everybody at either end.
        spread = min(max(square - value**2, 0.0), near * (self.top - near))
        possible = none + tilt * near + bend * (near**2 + spread)
        return Score(value, noise, whole - noise, (possible / self.n) ** 0.5)

    def _forged_move(self, forged: int) -> float:
        return forged / self.n * self.channel.lever()

    def _without_forged(self, forged: int) -> Interval:
        return without_extremes(self.channel.mean_scores(), self._reports, forged)

    def _score(self, target: Array) -> Score:
        scores = self._best_scores @ target
        value = float(self._reports @ scores) / self.n
        whole = float(average_variance(scores, self._reports, value))
        square = float(self._reports @ (self._best_scores @ target**2)) / self.n
        truth = min(max(square - value**2 + whole, 0.0), float(np.ptp(target)) ** 2 / 4)
        return Score(
            value=value,
            noise_variance=whole - (square - value**2 + whole) / self.n,
            sampling_variance=(square - value**2 + whole) / self.n,
            noise_error=max(whole - truth / self.n, 0.0) ** 0.5,
        )

    @cached_property
    def _best_scores(self) -> Array:
        require(
            self.top < MAX_LEVELS,
            "too_many_levels.score",
            "top",
            most=MAX_LEVELS,
            levels=self.top + 1,
        )
        return best_scores(self.channel)

    def _cumulative(self) -> Cumulative:
        """Take the profile's limits, and above some epsilon also those by unbiased scores.

        Beyond it the profile alone is too short where F is exactly 0 or 1 (math 5).
        """
        grouped = GroupedChannel(self.channel)
        profile = Profile.of(grouped, self._reports)
        limits: list[Limits] = [ProfileLimits(grouped, profile)]
        if self.channel.mechanism.delivered_epsilon > PROFILE_ALONE:
            limits.append(linear_limits(grouped, self._reports))
        widths = np.diff(grouped.edges)
        fitted = np.cumsum(np.repeat(profile.shares / widths, widths))[:-1]
        return Cumulative(np.minimum(fitted, 1.0), limits, grouped.top < self.top)
