"""The plain answers that a curator holds: a column of a CSV file, or simulated people."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from client.core.primitives.refusal import Refusal, require, within
from client.core.primitives.words import WORD_RANGE, SecureWords, Words
from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.curator.cells import Cell, ReadCell
from estimators.simulation.engines import choose_engine
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.people_file import Census
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import Shares, count_of
from estimators.simulation.people.truths import Truths, as_row
from estimators.simulation.running import Plan, run

# So many distinct cells are remembered while a file is read.
MOST_CELLS = 2**16


@dataclass(frozen=True)
class Answers:
    """The true answers to one question, counted per option, box or level.

    With a `seed` this is a rehearsal: its noise can be drawn again, so it must not be published,
    and `local` is the tally of a local survey of the same people, without those whose answer is
    none of the options. `unclear` cells were not understood, or not to the letter.
    """

    question: Question
    counts: tuple[int, ...]
    n: int
    seed: int | None = None
    local: Tally | None = None
    simulated: bool = False
    unclear: int = 0

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
        # Another stream than those of the simulated people, whose paths have three numbers.
        self._source = stream(seed, 1)

    def word(self) -> int:
        return int(self._source.integers(WORD_RANGE))


def simulate_answers(survey: Survey, shares: Shares, n: int, seed: int) -> Answers:
    """Draw the answers of n people with these shares, and their local reports."""
    question = survey.questions[0]
    counts, tally = _asked(Population(survey, {question.id: shares}), n, seed)
    return Answers(question, counts, n, seed, tally, simulated=True)


def read_answers(survey: Survey, cells: Iterable[str], read: ReadCell, seed: int | None) -> Answers:
    """Answers of real people, one cell each; nobody's cell is refused."""
    question = survey.questions[0]
    remembered = lru_cache(MOST_CELLS)(read)
    people = Counter(remembered(cell) for cell in cells)
    counts = [0] * count_of(question.domain)
    for cell, alike in people.items():
        for number in cell.numbers:
            counts[number] += alike
    unclear = sum(alike for cell, alike in people.items() if not cell.understood)
    local = None if seed is None else _local_reports(survey, people, seed)
    return Answers(question, tuple(counts), people.total(), seed, local, unclear=unclear)


def _local_reports(survey: Survey, people: Counter[Cell], seed: int) -> Tally | None:
    """A local survey of everybody who has an answer; None if nobody has."""
    question = survey.questions[0]
    clear = {cell: alike for cell, alike in people.items() if cell.answer is not None}
    if not clear:
        return None
    rows = np.array([as_row(question, cell.given) for cell in clear])
    table = np.repeat(rows, list(clear.values()), axis=0)
    _, tally = _asked(Census(survey, {question.id: table}), len(table), seed)
    return tally


def _asked(truths: Truths, n: int, seed: int) -> tuple[tuple[int, ...], Tally]:
    """The true answers of n people, counted, and the tally of their local reports."""
    plan = Plan(truths, n, 1, seed, choose_engine(truths, n, 1).engine)
    (sample,) = run(plan)
    drawn = sample[truths.survey.questions[0].id]
    return tuple(drawn.answers.tolist()), Tally(tuple(drawn.cells.tolist()), drawn.n)


def column_cells(path: Path, column: str | None) -> Iterator[str]:
    """The cells of one column of a CSV file with headings; of the only one unless it is named.

    A blank line is nobody. What is refused is the form of the file, and no cell is quoted.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            heading = next(reader, [])
            position = _position(path, heading, column)
            for row in reader:
                if not row or (len(row) == 1 and row[0].isspace()):
                    continue
                with within("line", reader.line_num, name=f"{path} line {reader.line_num}"):
                    wanted, got = len(heading), len(row)
                    require(got == wanted, "bad_csv.cells", str(path), wanted=wanted, got=got)
                yield row[position].strip()
    except OSError as error:
        raise Refusal("unreadable", str(path), reason=error.strerror) from None
    except UnicodeDecodeError as error:
        raise Refusal("bad_csv.encoding", str(path), reason=error.reason) from None
    except csv.Error as error:
        raise Refusal("bad_csv.encoding", str(path), reason=error) from None


def _position(path: Path, heading: list[str], column: str | None) -> int:
    alone = len(heading) == 1 and ";" in heading[0]
    require(not alone, "bad_heading.semicolons", "heading", path=path)
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
