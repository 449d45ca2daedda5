"""The plain answers that a curator holds: a column of a CSV file, or simulated people."""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from client.core.primitives.refusal import Refusal, require, within
from client.core.primitives.words import WORD_RANGE, SecureWords, Words
from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.simulation.engines import choose_engine, count_answers
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.people_file import Census
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import Shares, count_of
from estimators.simulation.people.truths import Truths, as_row
from estimators.simulation.running import Plan, run

MAX_PEOPLE = 10**6

Cells = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Answers:
    """The true answers to one question, counted per option, box or level.

    With a `seed` this is a rehearsal: its noise can be drawn again, so it must not be published.
    `local` is then the tally of a local survey of the same people.
    """

    question: Question
    counts: tuple[int, ...]
    n: int
    seed: int | None = None
    local: Tally | None = None
    simulated: bool = False

    @property
    def is_rehearsal(self) -> bool:
        return self.seed is not None

    @property
    def words(self) -> Words:
        """The source of the curator's noise."""
        return SecureWords() if self.seed is None else SimulatedWords(self.seed)


class SimulatedWords:
    """Words that the same seed reproduces; never for a release that is published."""

    def __init__(self, seed: int) -> None:
        # A stream of its own: those of the simulated people have paths of three numbers.
        self._source = stream(seed, 1)

    def word(self) -> int:
        return int(self._source.integers(WORD_RANGE))


def simulate_answers(survey: Survey, shares: Shares, n: int, seed: int) -> Answers:
    """Draw the answers of n people with these shares, and their local reports."""
    question = survey.questions[0]
    return _rehearsed(Population(survey, {question.id: shares}), n, seed, simulated=True)


def read_answers(
    survey: Survey, cells: Cells, read: Callable[[str], Any], seed: int | None
) -> Answers:
    """Read the answers of real people from cells, each given with the name of its place."""
    question = survey.questions[0]
    # Each distinct cell is parsed once.
    numbers: dict[str, int] = {}
    distinct, people = [], []
    for place, cell in cells:
        if cell not in numbers:
            with within("file", name=place):
                distinct.append(as_row(question, read(cell)))
            numbers[cell] = len(numbers)
        people.append(numbers[cell])
    require(len(people) > 0, "no_people.answers", "file")
    table = np.array(distinct)[people]
    if seed is not None:
        return _rehearsed(Census(survey, {question.id: table}), len(table), seed)
    counts = count_answers(table, count_of(question.domain))
    return Answers(question, tuple(counts.tolist()), len(table))


def _rehearsed(truths: Truths, n: int, seed: int, simulated: bool = False) -> Answers:
    question = truths.survey.questions[0]
    plan = Plan(truths, n, 1, seed, choose_engine(truths, n, 1).engine)
    (sample,) = run(plan)
    drawn = sample[question.id]
    tally = Tally(tuple(drawn.cells.tolist()), drawn.n)
    return Answers(question, tuple(drawn.answers.tolist()), n, seed, tally, simulated)


def column_cells(path: Path, column: str | None) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every cell in one column of a CSV file with a heading.

    The column can be left out if the file has only one.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            heading = next(reader, [])
            position = _position(path, heading, column)
            for number, row in enumerate(reader, start=1):
                # In a file with a single column, an empty line is an empty cell.
                cells = row or [""]
                place = f"{path} line {reader.line_num}"
                with within("line", reader.line_num, name=place):
                    wanted, got = len(heading), len(cells)
                    require(got == wanted, "bad_csv.cells", str(path), wanted=wanted, got=got)
                require(number <= MAX_PEOPLE, "too_many_people.file", str(path), most=MAX_PEOPLE)
                yield place, cells[position].strip()
    except OSError as error:
        raise Refusal("unreadable", str(path), reason=error.strerror) from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise Refusal("bad_csv.encoding", str(path), reason=error) from None


def _position(path: Path, heading: list[str], column: str | None) -> int:
    if column is None:
        count = len(heading)
        require(count == 1, "bad_heading.many", "column", path=path, count=count, heading=heading)
        return 0
    found = heading.count(column)
    require(
        found == 1,
        "bad_heading.other",
        "column",
        path=path,
        column=column,
        count=found,
        heading=heading,
    )
    return heading.index(column)
