"""Sliding window: the mean in closed form, any other linear target by the best score (math 5.2)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.authoring.draft.mechanism_choice import sliding_window_noise
from client.core.mechanisms import SlidingWindow
from client.core.primitives.refusal import require
from estimators.ordinal.em import channel_matrix
from estimators.ordinal.levels import MAX_LEVELS, Cdf, LevelEstimates
from estimators.shares.score import Score
from estimators.shares.spread import Array


@dataclass(frozen=True)
class WindowEstimates(LevelEstimates):
    """Every report is a place near the truth."""

    mechanism: SlidingWindow

    @cached_property
    def _reports(self) -> Array:
        return np.array(self.tally.counts, dtype=np.float64)

    def _mean(self) -> Score:
        """(y - intercept)/slope - w/2, averaged; its noise is quadratic in the level (math 5.2)."""
        scores = mean_scores(self.mechanism)
        value = float(self._reports @ scores) / self.n
        whole = self._variance(scores, value)
        square = float(self._reports @ square_scores(self.mechanism)) / self.n
        bend = (self._noise(2) - 2 * self._noise(1) + self._noise(0)) / 2
        tilt = self._noise(1) - self._noise(0) - bend
        noise = (self._noise(0) + tilt * value + bend * square) / self.n
        near = min(max(value, 0.0), float(self.top))
        # Between the spread of everybody at one level and that of everybody at either end.
        spread = min(max(square - value**2, 0.0), near * (self.top - near))
        possible = self._noise(0) + tilt * near + bend * (near**2 + spread)
        return Score(value, noise, whole - noise, (possible / self.n) ** 0.5)

    def _noise(self, level: int) -> float:
        return sliding_window_noise(self.mechanism, level)

    def _variance(self, scores: Array, value: float) -> float:
        """Of the average of n scores; of one, the largest that two scores allow."""
        if self.n == 1:
            return float(np.ptp(scores)) ** 2 / 4
        return float(self._reports @ (scores - value) ** 2) / (self.n * (self.n - 1))

    def _score(self, target: Array) -> Score:
        scores = self._best_scores @ target
        value = float(self._reports @ scores) / self.n
        whole = self._variance(scores, value)
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
            "too_many_levels",
            f"a score is for at most {MAX_LEVELS} levels, got {self.top + 1}",
            "top",
        )
        return best_scores(self.mechanism)

    def cdf(self, confidence: float = 0.95) -> Cdf:
        """By EM with resampling: unbiased scores of a fine grid's levels are mostly noise."""
        found = self.distribution()
        return Cdf(found.cdf, *found.cdf_intervals(confidence), found.cdf, "bootstrap")


def mean_scores(mechanism: SlidingWindow) -> Array:
    """The unbiased level that each report stands for (math 5.2)."""
    slope, intercept, _ = moments(mechanism)
    places = np.arange(mechanism.cells, dtype=np.float64)
    return (places - intercept) / slope - mechanism.width / 2


def square_scores(mechanism: SlidingWindow) -> Array:
    """The unbiased squared level: E(y^2) is slope (w(w+2)/12 + mu^2) + rest (math 5.2)."""
    slope, _, rest = moments(mechanism)
    width, places = mechanism.width, np.arange(mechanism.cells, dtype=np.float64)
    middles = (places**2 - rest) / slope - width * (width + 2) / 12
    return middles - width * mean_scores(mechanism) - width**2 / 4


def moments(mechanism: SlidingWindow) -> tuple[float, float, float]:
    """Slope and intercept of E(y) in the middle of the window, and the rest of E(y^2)."""
    top, width, keep = mechanism.top, mechanism.width, float(mechanism.keep)
    last = top + width
    first_sum = last * (last + 1) / 2
    away = (1 - keep) / top
    return keep - away * (width + 1), away * first_sum, away * first_sum * (2 * last + 1) / 3


def best_scores(mechanism: SlidingWindow) -> Array:
    """The unbiased scores of every level's share with the least variance if levels are even.

    D^-1 M (M' D^-1 M)^-1, with M the channel and D the reports expected of an even distribution;
    unbiased whatever the truth.
    """
    channel = channel_matrix(mechanism)
    weighted = channel / channel.mean(axis=1, keepdims=True)
    return np.linalg.solve(channel.T @ weighted, weighted.T).T
