"""A tally: the reports of one question counted per cell, with n. Estimators see nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.core.mechanisms import TwoLevel
from client.core.primitives.refusal import Refusal, require
from client.core.question import Question
from client.core.survey import Survey


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
    """The running counts of a survey: reports per cell and per question."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._counts = {item.id: [0] * item.mechanism.cells for item in survey.questions}
        self._asked = dict.fromkeys(self._counts, 0)

    def add(self, question: Question, randomized: Any, times: int) -> None:
        """Add `times` reports with this randomized answer."""
        self._asked[question.id] += times
        counts = self._counts[question.id]
        for cell in question.mechanism.cells_of(randomized):
            counts[cell] += times

    @property
    def is_empty(self) -> bool:
        return not any(self._asked.values())

    def tallies(self) -> dict[str, Tally]:
        """Return the tally of every question by its id."""
        return {id: Tally(tuple(counts), self._asked[id]) for id, counts in self._counts.items()}
