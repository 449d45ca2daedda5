"""Answers with an order and a distance: mean, quantiles, shares, distribution (math 4, 5, 5.5)."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.primitives.refusal import require
from estimators.counting.tally import Tally
from estimators.ordinal.cumulative import Cumulative
from estimators.ordinal.em import LevelChannel, expectation_maximisation
from estimators.shares.arrays import ShareArrays
from estimators.shares.intervals import Interval
from estimators.shares.score import Score
from estimators.shares.spread import Array
from estimators.shares.support import check_cells

# Scores and distributions solve systems of at most this many levels.
MAX_LEVELS = 1001


@dataclass(frozen=True)
class Quantile:
    """An estimated quantile with its 95 % interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class LevelEstimates(ABC):
    """What a tally says about levels 0 .. top, in the question's own unit: lo + step * level.

    Where people can be silent, everything but `total` is about those who answered.
    """

    channel: LevelChannel
    tally: Tally
    lo: float = 0.0
    step: float = 1.0

    def __post_init__(self) -> None:
        require(self.n >= 1, "no_reports.estimate", "n")
        check_cells(self.channel.mechanism, self.tally)

    @property
    def n(self) -> int:
        return self.tally.n

    @property
    def top(self) -> int:
        return self.channel.top

    @property
    def values(self) -> Array:
        """Every level in the question's own unit."""
        return self.lo + self.step * np.arange(self.top + 1, dtype=np.float64)

    @cached_property
    def mean(self) -> Score:
        return self._mean().scaled(self.step, self.lo)

    @property
    def total(self) -> Score:
        """The sum of all answers; silence adds nothing."""
        return self._total_of(self.mean)

    def _total_of(self, score: Score) -> Score:
        """Return the sum over all respondents of what a score is the mean of."""
        return score.scaled(self.n)

    @property
    def silent(self) -> ShareArrays | None:
        """The shares of the options for silence; None if there are none."""
        return None

    def score(self, target: Sequence[float] | Array) -> Score:
        """Return the estimate of sum_x target_x P(level x), of those who answered (math 0.5)."""
        weights = np.asarray(target, dtype=np.float64)
        require(
            weights.shape == (self.top + 1,) and bool(np.isfinite(weights).all()),
            "bad_target.levels",
            "target",
            count=self.top + 1,
        )
        return self._score(weights)

    def net_promoters(self) -> Score:
        """Return the share of levels 9 and 10 minus that of 0 to 6, on a scale of 0 to 10."""
        require(self.top == 10, "bad_scale.eleven", levels=self.top + 1)
        return self.score(net_promoter_target())

    def net_promoters_total(self) -> Score:
        return self._total_of(self.net_promoters())

    def forged_move(self, forged: int) -> float:
        """Return how far so many forged reports move the expected mean at most (math 11)."""
        return self.step * self._forged_move(forged)

    def without_forged(self, forged: int) -> Interval:
        """Return where the mean of the honest reports alone would be, whichever are forged."""
        ends = self._without_forged(forged).scaled(self.step)
        return Interval(self.lo + ends.low, self.lo + ends.high)

    @property
    def ordered_counts(self) -> Array | None:
        """The reports of each number, if reports are numbers near the truth; None if not."""
        return None

    @abstractmethod
    def _mean(self) -> Score:
        """Return the mean in levels."""

    @abstractmethod
    def _forged_move(self, forged: int) -> float: ...

    @abstractmethod
    def _without_forged(self, forged: int) -> Interval: ...

    @abstractmethod
    def _score(self, target: Array) -> Score: ...

    @cached_property
    def cumulative(self) -> Cumulative:
        """P(answer <= level) for every level but the top, with 95 % intervals (math 4, 5)."""
        self._check_levels()
        return self._cumulative()

    @abstractmethod
    def _cumulative(self) -> Cumulative: ...

    def quantile(self, chance: float) -> Quantile:
        """Return the level up to which this part of the answers lies (math 4)."""
        require(0 < chance < 1, "bad_chance", chance=chance)
        value, low, high = self.values[list(self.cumulative.quantile(chance))].tolist()
        return Quantile(value, Interval(low, high))

    def distribution(self) -> Array:
        """Return the share of every level by EM, regularised by stopping early (math 5).

        It is for drawing only: no interval is known for these shares.
        """
        self._check_levels()
        found = expectation_maximisation(self.channel, np.array(self.tally.counts) / self.n)
        own = found[: self.top + 1]
        return own if len(own) == len(found) else own / own.sum()

    def _check_levels(self) -> None:
        require(
            self.top < MAX_LEVELS,
            "too_many_levels.distribution",
            "top",
            most=MAX_LEVELS,
            levels=self.top + 1,
        )


def without_extremes(scores: Array, counts: Array, dropped: int) -> Interval:
    """Return the mean score if so many of the highest were dropped, or of the lowest (math 11)."""
    order = np.argsort(scores)
    scores, counts = scores[order], counts[order]
    total, rest = float(counts @ scores), float(counts.sum()) - dropped
    lowest = np.clip(dropped - (np.cumsum(counts) - counts), 0, counts)
    upward = counts[::-1]
    highest = np.clip(dropped - (np.cumsum(upward) - upward), 0, upward)[::-1]
    return Interval(
        (total - float(highest @ scores)) / rest, (total - float(lowest @ scores)) / rest
    )


def net_promoter_target() -> Array:
    """Return +1 for levels 9 and 10, -1 for 0 to 6, else 0."""
    levels = np.arange(11)
    return (levels >= 9).astype(np.float64) - (levels <= 6)
