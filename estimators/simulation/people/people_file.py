"""People whose true answers are known: a CSV file with a column per question, a row per person."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from client.core.kinds import Grid
from client.core.primitives.domain import Checks, Levels
from client.core.primitives.refusal import Refusal, require, within
from client.core.primitives.values import decimal_text, parse_decimal
from client.core.question import Question, is_shown
from client.core.survey import Survey
from estimators.simulation.kernels.samplers import Answers
from estimators.simulation.kernels.source import Source
from estimators.simulation.people.shares import Shares
from estimators.simulation.people.truths import Law, Table, as_row, law_of, true_shares


@dataclass(frozen=True)
class People:
    """One row of true answers per person; respondents are drawn from them with replacement.

    So every row stands for many people who are alike.
    """

    survey: Survey
    answers: Mapping[str, Answers]

    def __len__(self) -> int:
        return len(next(iter(self.answers.values())))

    @property
    def size(self) -> int | None:
        """Endless: the same row may be drawn again and again."""
        return None

    def draw(self, n: int, source: Source, first: int = 0) -> Table:
        drawn = source.integers(len(self), size=n)
        return {id: column.take(drawn, axis=0) for id, column in self.answers.items()}

    @cached_property
    def laws(self) -> dict[str, Law]:
        each = np.ones(len(self))
        return {
            question.id: law_of(question, self.answers[question.id], each)
            for question in self.survey.questions
        }

    def truths(self) -> dict[str, Shares]:
        return true_shares(self.survey, self.laws)

    def census(self) -> "Census":
        """The same people, if each of them answers once."""
        return Census(self.survey, self.answers)


@dataclass(frozen=True)
class Census(People):
    """People each of whom answers once: only the randomizer differs between two samples."""

    @property
    def size(self) -> int:
        return len(self)

    def draw(self, n: int, source: Source, first: int = 0) -> Table:
        return {id: column[first : first + n] for id, column in self.answers.items()}


BOXES_APART = ";"
# A refusal names this many of the labels that would have been right.
MOST_NAMED = 8

ReadCell = Callable[[str], Any]


def cell_reader(question: Question) -> ReadCell:
    """How the cells of one question are read, the labels looked at once."""
    grid = question.kind.grid
    if grid is not None and isinstance(question.domain, Levels):
        return partial(_level, grid)
    if isinstance(question.domain, Checks):
        for label in question.options:
            require(
                BOXES_APART not in label,
                "bad_label",
                f"the label {label[:40]!r} must not hold the {BOXES_APART} that parts boxes here",
            )
        return partial(_boxes, question, question.domain, _numbers(question))
    return partial(_option, question, _numbers(question))


def _numbers(question: Question) -> dict[str, int]:
    """Options by their labels; capitals matter only where labels differ by nothing else."""
    plain = {label.casefold(): number for number, label in enumerate(question.options)}
    return plain | {label: number for number, label in enumerate(question.options)}


def _find(question: Question, numbers: Mapping[str, int], text: str) -> int:
    number = numbers.get(text, numbers.get(text.casefold()))
    if number is None:
        named = ", ".join(question.options[:MOST_NAMED])
        more = ", ..." if len(question.options) > MOST_NAMED else ""
        raise Refusal("option_out_of_range", f"must be one of {named}{more}, got {text[:80]!r}")
    return number


def _option(question: Question, numbers: Mapping[str, int], cell: str) -> int:
    """An empty cell is silence, where the question has room for it."""
    if cell:
        return _find(question, numbers, cell)
    require(
        bool(question.kind.decline),
        "empty_cell",
        "must not be empty, for the question cannot be declined",
    )
    return len(question.kind.own_labels)


def _boxes(question: Question, domain: Checks, numbers: Mapping[str, int], cell: str) -> list[int]:
    """An empty cell is no box."""
    labels = [part.strip() for part in cell.split(BOXES_APART)] if cell else []
    ticked = sorted(_find(question, numbers, label) for label in labels)
    require(
        len(set(ticked)) == len(ticked), "repeated_box", f"must name a box once, got {cell[:80]!r}"
    )
    require(
        len(ticked) < 2 or ticked[-1] < len(question.kind.own_labels),
        "silence_and_more",
        f"must have nothing beside an option for silence, got {cell[:80]!r}",
    )
    require(
        len(ticked) <= domain.at_most,
        "too_many_options",
        f"must have at most {domain.at_most} boxes, got {cell[:80]!r}",
    )
    return ticked


def _level(grid: Grid, cell: str) -> int:
    lo, hi, step = grid.lo, grid.hi, grid.step
    value = parse_decimal(cell, "it")
    require(
        lo <= value <= hi and (value - lo) % step == 0,
        "option_out_of_range",
        f"must be from {decimal_text(lo)} to {decimal_text(hi)} in steps of {decimal_text(step)}, "
        f"got {decimal_text(value)}",
    )
    return int((value - lo) / step)


MAX_PEOPLE = 10**6

Row = tuple[str, ...]


def read_people(path: Path, survey: Survey) -> People:
    """The people of a file; one bad cell refuses the whole, and is named."""
    readers = _readers(path, survey)
    # People with the same cells are read once.
    numbers: dict[Row, int] = {}
    distinct: list[dict[str, Any]] = []
    people: list[int] = []
    for line, row in _rows(path, [question.id for question in survey.questions]):
        if row not in numbers:
            numbers[row] = len(distinct)
            with within(f"{path} line {line}"):
                distinct.append(_answers(row, survey, readers))
        people.append(numbers[row])
    require(len(people) > 0, "no_people", f"{path} holds no people", str(path))
    columns = {
        question.id: np.array([as_row(question, answers[question.id]) for answers in distinct])
        for question in survey.questions
    }
    return People(survey, {id: column[people] for id, column in columns.items()})


def _readers(path: Path, survey: Survey) -> dict[str, ReadCell]:
    readers = {}
    for question in survey.questions:
        with within(f"{path}: column {question.id}"):
            readers[question.id] = cell_reader(question)
    return readers


def _answers(row: Row, survey: Survey, readers: Mapping[str, ReadCell]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for question, cell in zip(survey.questions, row, strict=True):
        with within(f"column {question.id}"):
            shown = is_shown(question, answers)
            hidden = question.kind.hidden_answer
            answers[question.id] = readers[question.id](cell) if shown else hidden
    return answers


def _rows(path: Path, ids: Sequence[str]) -> Iterator[tuple[int, Row]]:
    """Every row with its line, its cells in the order of the questions."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            heading = next(reader, [])
            _check_heading(heading, ids, path)
            places = [heading.index(id) for id in ids]
            for number, row in enumerate(reader, start=1):
                # An empty line is the empty cell of a file with a single column.
                cells = row or [""]
                with within(f"{path} line {reader.line_num}"):
                    _check_row(cells, heading, number)
                yield reader.line_num, tuple(cells[place].strip() for place in places)
    except OSError as error:
        raise Refusal("unreadable", f"{path} cannot be read: {error.strerror}", str(path)) from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise Refusal("bad_csv", f"{path} is no CSV file in UTF-8: {error}", str(path)) from None


def _check_heading(heading: Sequence[str], ids: Sequence[str], path: Path) -> None:
    for id in heading:
        unknown = f"{path}: the survey has no question {id[:40]!r}"
        require(id in ids, "bad_heading", unknown, str(path))
        twice = f"{path}: the column {id} stands twice"
        require(heading.count(id) == 1, "bad_heading", twice, str(path))
    for id in ids:
        require(id in heading, "bad_heading", f"{path} lacks the column {id}", str(path))


def _check_row(cells: Sequence[str], heading: Sequence[str], number: int) -> None:
    require(
        len(cells) == len(heading),
        "bad_csv",
        f"a row must have {len(heading)} cells, got {len(cells)}",
    )
    require(
        number <= MAX_PEOPLE,
        "too_many_people",
        f"a file must hold at most {MAX_PEOPLE:,} people, and this is one more",
    )
