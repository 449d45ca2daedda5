"""A tally: the reports of one question counted per cell, with n. Estimators see nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms import TwoLevel
from client.core.primitives.refusal import Refusal, require
from client.core.question import Question
from client.core.survey import Survey

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Tally:
    """`counts[cell]` of the `n` reports add one to that cell; a report may add to several cells."""

    counts: tuple[int, ...]
    n: int

    def __post_init__(self) -> None:
        require(type(self.n) is int and self.n >= 0, "bad_n.whole", "n", n=self.n)
        require(len(self.counts) > 0, "bad_counts.none", "counts")
        for count in self.counts:
            if not (type(count) is int and 0 <= count <= self.n):
                raise Refusal("bad_counts.above_n", "counts", n=self.n, count=count)

    @classmethod
    def of_cells(cls, counts: Iterable[int], marks: int = 1) -> "Tally":
        """Return the tally of a mechanism whose reports add to `marks` cells each."""
        cells = tuple(counts)
        for count in cells:
            require(type(count) is int and count >= 0, "bad_counts.whole", "counts", count=count)
        require(sum(cells) % marks == 0, "bad_counts.sum", "counts", marks=marks, total=sum(cells))
        return cls(cells, sum(cells) // marks)

    @classmethod
    def of_reports(cls, mechanism: TwoLevel, randomized: Iterable[Any]) -> "Tally":
        """Count the randomized answers to one question."""
        counts, n = [0] * mechanism.cells, 0
        for item in randomized:
            n += 1
            for cell in mechanism.cells_of(item):
                counts[cell] += 1
        return cls(tuple(counts), n)


def sum_tallies(parts: Sequence[Mapping[str, Tally]]) -> dict[str, Tally]:
    """Add up the tallies of several groups, question by question."""
    return {
        id: Tally(
            tuple(map(sum, zip(*(part[id].counts for part in parts), strict=True))),
            sum(part[id].n for part in parts),
        )
        for id in parts[0]
    }


class Counting:
    """The running counts of a survey: reports per group, question and cell."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._groups: dict[str, dict[str, _Cells]] = {}

    def add(self, question: Question, randomized: Any, times: int, group: str = "") -> None:
        """Add `times` reports with this randomized answer, from one group."""
        cells = self._cells(group)[question.id]
        cells.n += times
        # A report adds to every cell at most once.
        cells.counts[question.mechanism.cells_of(randomized)] += times

    def add_counts(self, question: Question, counts: Counts, n: int, group: str = "") -> None:
        """Add n reports of one group that are counted per cell already."""
        cells = self._cells(group)[question.id]
        cells.n += n
        cells.counts += counts

    def add_tallies(self, tallies: Mapping[str, Tally], group: str = "") -> None:
        """Add the reports of one group that others have counted."""
        for question in self.survey.questions:
            tally = tallies[question.id]
            self.add_counts(question, np.array(tally.counts, dtype=np.int64), tally.n, group)

    def _cells(self, group: str) -> dict[str, "_Cells"]:
        if group not in self._groups:
            questions = self.survey.questions
            self._groups[group] = {item.id: _Cells(item.mechanism.cells) for item in questions}
        return self._groups[group]

    @property
    def is_empty(self) -> bool:
        return not self._groups

    def by_group(self) -> dict[str, dict[str, Tally]]:
        """Return the tallies of every group that has a report, by its code; "" is no group."""
        return {
            group: {id: each.tally() for id, each in cells.items()}
            for group, cells in sorted(self._groups.items())
        }

    def tallies(self) -> dict[str, Tally]:
        """Return the tally of every question by its id, whatever the groups."""
        return sum_tallies(list(self.by_group().values())) if self._groups else self._none()

    def _none(self) -> dict[str, Tally]:
        return {item.id: _Cells(item.mechanism.cells).tally() for item in self.survey.questions}


class _Cells:
    """The running counts of one question in one group."""

    def __init__(self, cells: int) -> None:
        self.counts = np.zeros(cells, dtype=np.int64)
        self.n = 0

    def tally(self) -> Tally:
        return Tally(tuple(self.counts.tolist()), self.n)
