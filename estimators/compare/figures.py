"""The figures that groups are compared by: shares of options or boxes, or a mean of levels."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from client.core.primitives.refusal import require
from client.core.question import Question
from estimators.columns.randomized import Randomized
from estimators.compare.samples import RatioSample, Sample, ScoreSample, ShareSample
from estimators.compare.weighting import Weighted
from estimators.counting.tally import Tally
from estimators.mechanisms import analysis_of
from estimators.ordinal.levels import LevelEstimates
from estimators.shares.choices import ChoiceEstimates
from estimators.shares.intervals import Interval
from estimators.shares.shares import MAX_COVARIANCE, ShareEstimates
from estimators.shares.spread import Array, Counts
from estimators.tables.question import estimate_question

SHARE, MEAN = "share", "mean"
# Of a figure that has no range of its own.
EVERYTHING = Interval(-math.inf, math.inf)
# One report shows no spread.
LEAST_REPORTS = 2
# Chances of a design that differ by less are the same.
SAME_CHANCE = 1e-9

Channel = tuple[float, float]


@dataclass(frozen=True)
class Figure:
    """One figure in every group: how often each score occurs in it.

    `counts` has a row per group and a column per distinct score. With `channels`, one p and q per
    group, the first score of a group's channel says that a report supports the option. With
    `base`, scores of "answered", the figure is the sum of the scores divided by that of the base,
    and it is somewhere in `reach`.
    """

    label: str
    scores: Array
    counts: Array
    channels: tuple[Channel, ...] | None = None
    base: Array | None = None
    reach: Interval = EVERYTHING

    @property
    def sizes(self) -> Counts:
        """The reports of each group about this figure."""
        sizes: Counts = self.counts.sum(axis=1).astype(np.int64)
        return sizes

    def sample(self, group: int) -> Sample:
        """Return the reports of one group as a share through its channel, or as scores."""
        counts = self.counts[group]
        if self.base is not None:
            return RatioSample.of_ratio(self.scores, self.base, counts, self.reach)
        if self.channels is None:
            return ScoreSample.of(self.scores, counts)
        supporting = int(counts[self.scores > 0.5].sum())
        return ShareSample(supporting, int(counts.sum()), *self.channels[group])

    def is_known(self, group: int) -> bool:
        """Whether a group's reports say something: two of them, and people who answered."""
        if self.sizes[group] < LEAST_REPORTS:
            return False
        sample = self.sample(group)
        return not isinstance(sample, RatioSample) or sample.is_known

    def weighted(self, weigh: Callable[[Array], Weighted]) -> Weighted:
        """Weigh the scores; of a ratio both sums, and the error is that of its linear form."""
        if self.base is None:
            return weigh(self.scores)
        share = weigh(self.base).value
        require(share > 0, "empty_base", "base")
        ratio = weigh(self.scores).value / share
        return replace(weigh((self.scores - ratio * self.base) / share), value=ratio)


@dataclass(frozen=True)
class Figures:
    """All figures of one question in the same groups.

    `covariance` is that of one report's scores, over all groups together, if the options exclude
    each other. `ordered` are the reports by their number, if they are numbers near the truth.
    """

    quantity: str
    groups: tuple[str, ...]
    sizes: Counts
    figures: tuple[Figure, ...]
    covariance: Array | None = None
    ordered: Array | None = None


def figures_of_tallies(question: Question, tallies: Mapping[str, Tally]) -> Figures:
    """Return the figures of one question from a tally per group."""
    found = [estimate_question(question, tally) for tally in tallies.values()]
    sizes = np.array([tally.n for tally in tallies.values()])
    groups = tuple(tallies)
    cells = [tally.counts for tally in tallies.values()]
    pooled = Tally(tuple(map(sum, zip(*cells, strict=True))), int(sizes.sum()))
    together = estimate_question(question, pooled)
    if isinstance(together, ShareEstimates):
        shares = [each for each in found if isinstance(each, ShareEstimates)]
        figures = tuple(_share_figures(question.options, shares))
        return Figures(SHARE, groups, sizes, figures, _covariance(together))
    levels = [each for each in found if isinstance(each, LevelEstimates)]
    analysis = analysis_of(question.mechanism)
    reports = analysis.reports()
    scores, base = analysis.value_scores(reports, together.values), analysis.answer_scores(reports)
    reach = Interval(float(together.values[0]), float(together.values[-1]))
    figure = Figure("", scores, np.array(cells, dtype=np.float64), base=base, reach=reach)
    ordered = [each.ordered_counts for each in levels]
    known = [counts for counts in ordered if counts is not None]
    return Figures(MEAN, groups, sizes, (figure,), ordered=np.array(known) if known else None)


def _share_figures(labels: Sequence[str], groups: Sequence[ShareEstimates]) -> list[Figure]:
    p, q = groups[0].p, groups[0].q
    scores = np.array([1 - q, -q]) / (p - q)
    reported = np.array([each.reported for each in groups], dtype=np.float64)
    asked = np.array([each.asked for each in groups], dtype=np.float64)
    tables = np.stack((reported, asked - reported), axis=2)
    channels = ((p, q),) * len(groups)
    return [
        Figure(label, scores, tables[:, option], channels) for option, label in enumerate(labels)
    ]


def _covariance(together: ShareEstimates) -> Array | None:
    """Return the covariance of one report's scores; None for boxes, which overlap unseen."""
    is_one = isinstance(together, ChoiceEstimates)
    if not is_one or len(together.shares) > MAX_COVARIANCE:
        return None
    return (together.n - 1) * together.covariance().population


def figures_of_column(column: Randomized, groups: Sequence[str], places: Counts) -> Figures:
    """Return the figures of a column; `places` has each row's group, -1 for none."""
    counts = _count(column, len(groups), places)
    if column.question is not None:
        tallies = _tallies(column, column.question, groups, counts)
        return figures_of_tallies(column.question, tallies)
    figures = tuple(
        Figure(label, column.scores[:, option], counts, _channels(column, option, counts))
        for option, label in enumerate(column.labels)
    )
    total = counts.sum(axis=0)
    centred = column.scores - total @ column.scores / total.sum()
    covariance = (centred * total[:, None]).T @ centred / total.sum()
    sizes = counts.sum(axis=1).astype(np.int64)
    return Figures(SHARE, tuple(groups), sizes, figures, covariance)


def _count(column: Randomized, groups: int, places: Counts) -> Array:
    """Count the distinct reports in each group."""
    used = column.asked & (places >= 0)
    reports = len(column.reports)
    pairs = places[used] * reports + column.codes[used]
    return np.bincount(pairs, minlength=groups * reports).reshape(groups, reports).astype(float)


def _tallies(
    column: Randomized, question: Question, groups: Sequence[str], counts: Array
) -> dict[str, Tally]:
    mechanism = question.mechanism
    marked = [np.array(mechanism.cells_of(report), dtype=np.int64) for report in column.reports]
    places = np.repeat(np.arange(len(marked)), [len(cells) for cells in marked])
    # Not one table of reports by cells: a long list would have too many of both.
    flat = np.concatenate([np.empty(0, dtype=np.int64), *marked])
    cells = [
        np.bincount(flat, weights=own[places], minlength=mechanism.cells).astype(np.int64).tolist()
        for own in counts
    ]
    sizes = counts.sum(axis=1).astype(np.int64).tolist()
    return {group: Tally(tuple(own), n) for group, own, n in zip(groups, cells, sizes, strict=True)}


def _channels(column: Randomized, option: int, counts: Array) -> tuple[Channel, ...] | None:
    """Return the p and q of each group; None unless the truth is one of two and each has one.

    A score of at least 1/2 says that a report supports the option, whichever report that is.
    """
    if len(column.labels) != 2 or column.chances is None:
        return None
    chances = column.chances[:, [option, 1 - option]]
    scores = column.scores[:, option]
    p, q = np.where((scores > 0.5)[:, None], chances, 1 - chances).T
    two = np.where(scores > 0.5, 1 - q, -q) / np.where(p > q, p - q, np.nan)
    if not bool(np.all(np.abs(two - scores) <= SAME_CHANCE * np.maximum(np.abs(scores), 1))):
        return None
    # Rounded, so that equal designs stay equal however their chances were computed.
    pairs = np.round(np.stack((p, q), axis=1), 12)
    used = [np.unique(pairs[own > 0], axis=0) for own in counts]
    if any(len(own) != 1 for own in used):
        return None
    return tuple((float(own[0, 0]), float(own[0, 1])) for own in used)
