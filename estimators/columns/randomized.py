"""A randomized column: which report each row holds, and what each report says about the truth.

Rows are many and distinct reports are few. So a column keeps one number per row, the place of its
report in the list of distinct reports, and everything else is computed once per distinct report.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import require
from client.core.question import Question
from estimators.shares.spread import Array

Codes = NDArray[np.int64]
# The code of a row whose respondent was not asked.
NOT_ASKED = -1
# A table of distinct reports by options may have this many entries: 400 MB.
MAX_ENTRIES = 50_000_000


class ReportChannel(Protocol):
    """What a design knows about its reports."""

    def report_scores(self, reports: Sequence[Any]) -> Array:
        """Return a row per report and a column per label: E(score | truth) is 1 for the truth.

        The score is NaN for a box that the report is not about.
        """

    def value_scores(self, reports: Sequence[Any], values: Array) -> Array:
        """Return for each report an unbiased score of the number that the truth stands for."""

    def answer_scores(self, reports: Sequence[Any]) -> Array | None:
        """Return for each report an unbiased score of "answered"; None if nobody can be silent."""

    def report_chances(self, reports: Sequence[Any]) -> Array | None:
        """Return P(report | truth) with a column per truth; None if truths are sets of boxes."""


@dataclass(frozen=True)
class Randomized:
    """One randomized question of a data set.

    `labels` are the options, boxes or levels of the truth. `values` are the numbers that levels
    stand for, None if the labels are no numbers; labels beyond them are options for silence.
    `question` is Candor's own question, None in data that somebody else randomized.
    """

    name: str
    labels: tuple[str, ...]
    reports: Sequence[Any]
    codes: Codes
    channel: ReportChannel
    values: Array | None = None
    question: Question | None = None

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        """Which rows hold a report."""
        return np.not_equal(self.codes, NOT_ASKED)

    @cached_property
    def scores(self) -> Array:
        """Unbiased scores: a row per distinct report, a column per label (math 0.5)."""
        entries = len(self.reports) * len(self.labels)
        require(entries <= MAX_ENTRIES, "too_many_scores", self.name, most=MAX_ENTRIES, got=entries)
        return self.channel.report_scores(self.reports)

    @cached_property
    def chances(self) -> Array | None:
        """P(report | truth): a row per distinct report, a column per label; None for boxes."""
        return self.channel.report_chances(self.reports)

    @cached_property
    def mean_scores(self) -> Array | None:
        """Unbiased scores of the number itself, per distinct report; None if it is no number."""
        if self.values is None:
            return None
        return self.channel.value_scores(self.reports, self.values)

    @cached_property
    def answer_scores(self) -> Array | None:
        """Unbiased scores of "answered", per distinct report; None if nobody can be silent.

        Where people can be silent, `mean_scores` count them as 0 (math 5.5).
        """
        return self.channel.answer_scores(self.reports)

    def counts(self, rows: NDArray[Any] | None = None) -> Array:
        """Count the rows with each distinct report, of all rows or of those selected."""
        codes = self.codes if rows is None else self.codes[rows]
        asked = codes[codes != NOT_ASKED]
        return np.bincount(asked, minlength=len(self.reports)).astype(np.float64)

    def by_row(self, figures: Array) -> Array:
        """Return the figures of each row's report; NaN in rows that were not asked."""
        blank = np.full((1, *figures.shape[1:]), np.nan)
        # NOT_ASKED is -1, the last place.
        found: Array = np.concatenate((figures, blank))[self.codes]
        return found
