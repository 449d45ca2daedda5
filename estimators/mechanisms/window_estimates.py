"""What reports of a sliding window say: of everybody, or of those who answered (math 5.2, 5.5)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from client.core.mechanisms import SlidingWindow
from client.core.primitives.refusal import require
from estimators.ordinal.answered import Pair, RatioScore, pair_variance, ratio_without
from estimators.ordinal.cumulative import Cumulative, Limits
from estimators.ordinal.em import Channel, GroupedChannel, average_variance, best_scores
from estimators.ordinal.levels import MAX_LEVELS, LevelEstimates, without_extremes
from estimators.ordinal.profile import Profile, ProfileLimits, linear_limits
from estimators.shares.arrays import ShareArrays
from estimators.shares.intervals import Interval
from estimators.shares.score import Score
from estimators.shares.spread import Array

# Up to this epsilon the profile's limits are taken alone (math 5).
PROFILE_ALONE = 2.5


class WindowChannel(Channel, Protocol):
    """What the estimates need to know about a sliding window."""

    @property
    def mechanism(self) -> SlidingWindow: ...

    def lever(self) -> float: ...

    def mean_scores(self) -> Array: ...

    def square_scores(self) -> Array: ...

    def answered_scores(self) -> Array: ...

    def pair_noise(self, answered: float, first: float, second: float) -> Pair: ...


@dataclass(frozen=True)
class WindowEstimates(LevelEstimates):
    """Estimates from reports that are numbers near the truth."""

    channel: WindowChannel

    @cached_property
    def _reports(self) -> Array:
        return np.array(self.tally.counts, dtype=np.float64)

    @property
    def ordered_counts(self) -> Array:
        return self._reports

    def _average(self, scores: Array) -> float:
        return float(self._reports @ scores) / self.n

    def _mean(self) -> Score:
        """Average the scores; their noise is linear in the level and its square (math 5.2)."""
        scores = self.channel.mean_scores()
        value, square = self._average(scores), self._average(self.channel.square_scores())
        whole = float(average_variance(scores, self._reports, value))
        noise = self.channel.pair_noise(1.0, value, square).part / self.n
        near = min(max(value, 0.0), float(self.top))
        # Possible spreads: from everybody at one level to everybody at either end.
        spread = min(max(square - value**2, 0.0), near * (self.top - near))
        possible = self.channel.pair_noise(1.0, near, near**2 + spread).part
        return Score(value, noise, whole - noise, (possible / self.n) ** 0.5)

    def _forged_move(self, forged: int) -> float:
        return forged / self.n * self.channel.lever()

    def _without_forged(self, forged: int) -> Interval:
        return without_extremes(self.channel.mean_scores(), self._reports, forged)

    def _score(self, target: Array) -> Score:
        scores = self._best_scores @ target
        value = self._average(scores)
        whole = float(average_variance(scores, self._reports, value))
        square = self._average(self._best_scores @ target**2)
        truth = min(max(square - value**2 + whole, 0.0), float(np.ptp(target)) ** 2 / 4)
        return Score(
            value=value,
            noise_variance=whole - (square - value**2 + whole) / self.n,
            sampling_variance=(square - value**2 + whole) / self.n,
            noise_error=max(whole - truth / self.n, 0.0) ** 0.5,
        )

    @cached_property
    def _best_scores(self) -> Array:
        """The best score of every level for each report."""
        require(
            self.top < MAX_LEVELS,
            "too_many_levels.score",
            "top",
            most=MAX_LEVELS,
            levels=self.top + 1,
        )
        return best_scores(self.channel)[:, : self.top + 1]

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
        fitted = np.cumsum(np.repeat(profile.among_answers / widths, widths))[:-1]
        return Cumulative(np.minimum(fitted, 1.0), limits, grouped.top < self.top)


@dataclass(frozen=True)
class AnsweredEstimates(WindowEstimates):
    """Estimates among those who answered, where people can be silent (math 5.5)."""

    @property
    def silent(self) -> ShareArrays:
        """A report supports an option for silence if it lies in the option's own window."""
        mechanism = self.channel.mechanism
        q = (1 - mechanism.keep) * mechanism.near / mechanism.far
        windows = self._reports[self.top + mechanism.near :].reshape(-1, mechanism.near)
        reported = windows.sum(axis=1).astype(np.int64)
        asked = np.full(len(reported), self.n)
        return ShareArrays(reported, asked, self.n, float(mechanism.keep), float(q))

    def _mean(self) -> RatioScore:
        scores, answered = self.channel.mean_scores(), self.channel.answered_scores()
        moments = [self._average(each) for each in (answered, scores, self.channel.square_scores())]
        noise, least = (
            self.channel.pair_noise(*each).over(self.n) for each in (moments, self._near(*moments))
        )
        whole = pair_variance(scores, answered, self._reports)
        return self._ratio(moments[1], noise, whole, least, Interval(0.0, float(self.top)))

    def _near(self, answered: float, first: float, second: float) -> tuple[float, float, float]:
        """Return the possible moments nearest to estimated ones."""
        share = min(max(answered, 0.0), 1.0)
        level = min(max(first, 0.0), share * self.top)
        lowest = level**2 / share if share > 0 else 0.0
        return share, level, min(max(second, lowest), level * self.top)

    def _ratio(
        self, part: float, noise: Pair, whole: Pair, least: Pair, reach: Interval
    ) -> RatioScore:
        base = self._average(self.channel.answered_scores())
        sampling = Pair(whole.part - noise.part, whole.base - noise.base, whole.both - noise.both)
        return RatioScore.of(part, base, noise, sampling, least, reach)

    def _total_of(self, score: Score) -> Score:
        assert isinstance(score, RatioScore)
        return score.summed.scaled(self.n)

    def _forged_move(self, forged: int) -> float:
        """Divide by the smallest share who answered that the reports do not exclude."""
        mean = self._mean()
        return super()._forged_move(forged) / mean.least_answered if mean.is_known else float("inf")

    def _without_forged(self, forged: int) -> Interval:
        """Return the whole range if the honest reports alone could give any value."""
        scores, answered = self.channel.mean_scores(), self.channel.answered_scores()
        found = ratio_without(scores, answered, self._reports, forged)
        return found or Interval(0.0, float(self.top))

    def _score(self, target: Array) -> RatioScore:
        """Divide the sum of the target by the share who answered; what is left is as above."""
        scores, answered = self._best_scores @ target, self.channel.answered_scores()
        part, base = self._average(scores), self._average(answered)
        whole = pair_variance(scores, answered, self._reports)
        square = self._average(self._best_scores @ target**2)
        truth = Pair(
            square - part**2 + whole.part,
            base - base**2 + whole.base,
            part - part * base + whole.both,
        ).over(self.n)
        noise = Pair(whole.part - truth.part, whole.base - truth.base, whole.both - truth.both)
        share = min(max(base, 0.0), 1.0)
        # The noise of the share is known; that of the sum is at most all of its variance.
        known = self.channel.pair_noise(share, 0.0, 0.0).base / self.n
        largest = float(np.abs(target).max()) ** 2 * share / self.n
        kept = whole.part - min(max(truth.part, 0.0), largest)
        least = Pair(max(kept, 0.0), known, noise.both).possible()
        reach = Interval(float(target.min()), float(target.max()))
        return self._ratio(part, noise, whole, least, reach)
