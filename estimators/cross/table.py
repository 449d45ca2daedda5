"""A cross-table as a result: every figure under a name that a reader can guess."""

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from estimators.cross.advice import Advice
from estimators.cross.association import Strength
from estimators.cross.independence import ChiSquare


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval; None where nothing can be said."""

    value: float | None
    standard_error: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Ratio:
    """A share of a row or column, or a mean in it; all None if no number can be given."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Cell:
    """The share of people in a row and a column, from the n reports that are about both."""

    row: str
    column: str
    n: int
    share: Estimate
    row_share: Ratio
    column_share: Ratio


@dataclass(frozen=True)
class Margin:
    """The share of people in a row or column, among those who were asked both questions."""

    label: str
    share: Estimate


@dataclass(frozen=True)
class GroupMean:
    """The mean of a number among the people in a row."""

    label: str
    mean: Ratio


@dataclass(frozen=True, kw_only=True)
class CrossTable:
    """Two questions of the same people.

    `cells` go row by row. They are empty if the second question is a number; then `means` has its
    mean for each row, and `mean` that of everybody. `phi` and `log_odds_ratio` are for two rows and
    two columns; `cramers_v` is None where labels do not exclude each other. A measure that is None
    could not be estimated. `silence` is the share of people who answered a `cross` question with an
    option that is in no row and column. `few_reports` says that fewer than 5 reports support some
    cell, so that its error and its intervals hold only roughly.
    """

    first: str
    second: str
    n: int
    confidence: float
    rows: tuple[str, ...]
    columns: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    row_margins: tuple[Margin, ...]
    column_margins: tuple[Margin, ...] = ()
    means: tuple[GroupMean, ...] = ()
    mean: Estimate | None = None
    phi: Strength | None = None
    log_odds_ratio: Strength | None = None
    cramers_v: Strength | None = None
    test: ChiSquare
    silence: float | None = None
    advice: Advice | None = None
    few_reports: bool = False

    @property
    def grid(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells as rows."""
        width = len(self.columns)
        return tuple(
            self.cells[start : start + width] for start in range(0, len(self.cells), width)
        )

    @property
    def is_two_by_two(self) -> bool:
        return len(self.rows) == len(self.columns) == 2 and self.cramers_v is not None

    @property
    def odds_ratio(self) -> Ratio | None:
        """The odds ratio with its interval; None unless all four cells are above 0."""
        log = self.log_odds_ratio
        if log is None or log.low is None or log.high is None:
            return None
        return Ratio(_power(log.value), _power(log.low), _power(log.high))

    def labelled(
        self, first: str, rows: tuple[str, ...], second: str, columns: tuple[str, ...]
    ) -> "CrossTable":
        """Return the same table of shares with other words, as in another language."""
        pairs = ((row, column) for row in rows for column in columns)
        return replace(
            self,
            first=first,
            second=second,
            rows=rows,
            columns=columns,
            cells=tuple(
                replace(cell, row=row, column=column)
                for cell, (row, column) in zip(self.cells, pairs, strict=True)
            ),
            row_margins=_labelled(self.row_margins, rows),
            column_margins=_labelled(self.column_margins, columns),
        )

    def as_json(self) -> dict[str, Any]:
        """Return plain values for a JSON document."""
        odds = self.odds_ratio
        return {**asdict(self), "odds_ratio": odds and asdict(odds)}


def _labelled(margins: tuple[Margin, ...], labels: tuple[str, ...]) -> tuple[Margin, ...]:
    return tuple(
        replace(margin, label=label) for margin, label in zip(margins, labels, strict=True)
    )


def _power(value: float) -> float | None:
    """Return e^value; None if it is too large for a float."""
    return math.exp(value) if value < 700 else None
