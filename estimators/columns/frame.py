"""A data set: randomized columns, plain columns, and how many rows they have."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.columns.randomized import Randomized
from estimators.counting.group_columns import declared_labels
from estimators.counting.tally import Counting, Tally
from estimators.shares.spread import Counts

# Numbers if every entry is one, else texts.
Plain = NDArray[Any]
# The place of a value that is missing.
NO_LEVEL = -1


@dataclass(frozen=True)
class Frame:
    """The columns of a data set by name. `survey` is None if somebody else randomized it."""

    n: int
    randomized: Mapping[str, Randomized]
    plain: Mapping[str, Plain] = field(default_factory=dict)
    survey: Survey | None = None

    def question(self, name: str) -> Randomized:
        """Return a randomized column; raise if there is none with this name."""
        if name not in self.randomized:
            raise Refusal("unknown_column.randomized", name, known=list(self.randomized))
        return self.randomized[name]

    def covariate(self, name: str) -> Plain:
        """Return a plain column; raise if there is none with this name."""
        if name not in self.plain:
            raise Refusal("unknown_column.plain", name, known=list(self.plain))
        return self.plain[name]

    @property
    def factors(self) -> list[str]:
        """The plain columns that are declared factors of the survey."""
        groups = self.survey.groups if self.survey else None
        return [factor.id for factor in groups.factors if factor.id in self.plain] if groups else []

    def levels(self, name: str) -> tuple[list[str], Counts]:
        """Return the values of a plain column in their order, and which of them each row has.

        The levels of a declared factor, and the groups, are in the order of the survey.
        """
        levels, places = levels_of(self.covariate(name))
        declared = self.survey.groups if self.survey else None
        known = declared_labels(declared).get(name) if declared else None
        if known is None or not set(levels) <= set(known):
            return levels, places
        ordered = [label for label in known if label in levels]
        moved = np.array([*map(ordered.index, levels), NO_LEVEL])
        return ordered, moved[places]

    def tallies(self, rows: NDArray[Any] | None = None) -> dict[str, Tally]:
        """Count all rows, or those selected, into one tally per question of the survey."""
        if self.survey is None:
            raise Refusal("no_survey.tally")
        counting = Counting(self.survey)
        for question in self.survey.questions:
            column = self.randomized[question.id]
            counts = column.counts(rows).astype(np.int64)
            for place in np.flatnonzero(counts).tolist():
                counting.add(question, column.reports[place], int(counts[place]))
        return counting.tallies()


def levels_of(values: Plain) -> tuple[list[str], Counts]:
    """Return the distinct values of a plain column as text, and which of them each row has.

    A missing value is no level.
    """
    distinct, places = np.unique(values, return_inverse=True)
    if distinct.dtype.kind == "f":
        missing = np.isnan(distinct)
        names = [f"{value:.10g}" for value in distinct[~missing]]
    else:
        missing = distinct == ""
        names = [str(value) for value in distinct[~missing]]
    known = np.where(missing, NO_LEVEL, np.cumsum(~missing) - 1)
    return names, known[places]
