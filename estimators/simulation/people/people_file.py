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

    Every row thus stands for many people who are alike.
    """

    survey: Survey
    answers: Mapping[str, Answers]

    def __len__(self) -> int:
        return len(next(iter(self.answers.values())))

    @property
    def size(self) -> int | None:
        """None: the same row may be drawn again and again."""
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


@dataclass(frozen=True)
class Census(People):
    """People each of whom answers once: only the randomizer differs between two samples."""

    @property
    def size(self) -> int:
        return len(self)

    def draw(self, n: int, source: Source, first: int = 0) -> Table:
        return {id: column[first : first + n] for id, column in self.answers.items()}


BOXES_APART = ";"
# A refusal names at most this many valid labels.
MOST_NAMED = 8

ReadCell = Callable[[str], Any]


def cell_reader(question: Question) -> ReadCell:
    """Return a function that reads the cells of one question."""
    grid = question.kind.grid
    if grid is not None and isinstance(question.domain, Levels):
        return partial(_level, question, grid, numbers_of(question.kind.silence))
    if isinstance(question.domain, Checks):
        check_apart(question.options)
        return partial(_boxes, question, question.domain, numbers_of(question.options))
    return partial(_option, question, numbers_of(question.options))


def check_apart(labels: Sequence[str]) -> None:
    """Raise if a label would be read as two in a cell with several."""
    for label in labels:
        require(BOXES_APART not in label, "bad_label.separator", label=label, separator=BOXES_APART)


def numbers_of(labels: Sequence[str]) -> dict[str, int]:
    """Return option numbers by label; case matters only if labels differ in nothing else."""
    plain = {label.casefold(): number for number, label in enumerate(labels)}
    return plain | {label: number for number, label in enumerate(labels)}


def _find(question: Question, numbers: Mapping[str, int], text: str) -> int:
    number = numbers.get(text, numbers.get(text.casefold()))
    if number is None:
        more = ["..."] if len(question.options) > MOST_NAMED else []
        known = [*question.options[:MOST_NAMED], *more]
        raise Refusal("option_out_of_range.label", known=known, text=text)
    return number


def _option(question: Question, numbers: Mapping[str, int], cell: str) -> int:
    """Return the option of a cell; an empty cell means no answer, if the question allows that."""
    if cell:
        return _find(question, numbers, cell)
    require(bool(question.kind.decline), "empty_cell")
    return len(question.kind.own_labels)


def _boxes(question: Question, domain: Checks, numbers: Mapping[str, int], cell: str) -> list[int]:
    """Return the ticked boxes of a cell; an empty cell means none."""
    labels = [part.strip() for part in cell.split(BOXES_APART)] if cell else []
    ticked = sorted(_find(question, numbers, label) for label in labels)
    require(len(set(ticked)) == len(ticked), "repeated_box", cell=cell)
    require(
        len(ticked) < 2 or ticked[-1] < len(question.kind.own_labels), "silence_and_more", cell=cell
    )
    require(
        len(ticked) <= domain.at_most, "too_many_options.boxes", at_most=domain.at_most, cell=cell
    )
    return ticked


def _level(question: Question, grid: Grid, silent: Mapping[str, int], cell: str) -> int:
    """Return the level of a cell, or silence; an empty cell declines, if the question allows it."""
    option = silent.get(cell, silent.get(cell.casefold()))
    if not cell and question.kind.decline:
        option = 0
    if option is not None:
        return int((grid.hi - grid.lo) / grid.step) + 1 + option
    lo, hi, step = grid.lo, grid.hi, grid.step
    value = parse_decimal(cell, "it")
    require(
        lo <= value <= hi and (value - lo) % step == 0,
        "option_out_of_range.steps",
        lo=decimal_text(lo),
        hi=decimal_text(hi),
        step=decimal_text(step),
        value=decimal_text(value),
    )
    return int((value - lo) / step)


MAX_PEOPLE = 10**6

Row = tuple[str, ...]


def read_people(path: Path, survey: Survey) -> People:
    """Read the people of a file; raise for the first bad cell."""
    readers = _readers(path, survey)
    # Each distinct row is parsed once.
    numbers: dict[Row, int] = {}
    distinct: list[dict[str, Any]] = []
    people: list[int] = []
    for line, row in _rows(path, [question.id for question in survey.questions]):
        if row not in numbers:
            numbers[row] = len(distinct)
            with within("line", line, name=f"{path} line {line}"):
                distinct.append(_answers(row, survey, readers))
        people.append(numbers[row])
    require(len(people) > 0, "no_people", str(path))
    columns = {
        question.id: np.array([as_row(question, answers[question.id]) for answers in distinct])
        for question in survey.questions
    }
    return People(survey, {id: column[people] for id, column in columns.items()})


def _readers(path: Path, survey: Survey) -> dict[str, ReadCell]:
    readers = {}
    for question in survey.questions:
        with within("column", question.id, name=f"{path}: column {question.id}"):
            readers[question.id] = cell_reader(question)
    return readers


def _answers(row: Row, survey: Survey, readers: Mapping[str, ReadCell]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for question, cell in zip(survey.questions, row, strict=True):
        with within("column", question.id, name=f"column {question.id}"):
            shown = is_shown(question, answers)
            hidden = question.kind.hidden_answer
            answers[question.id] = readers[question.id](cell) if shown else hidden
    return answers


def _rows(path: Path, ids: Sequence[str]) -> Iterator[tuple[int, Row]]:
    """Yield every row with its line number, its cells in the order of the questions."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            heading = next(reader, [])
            _check_heading(heading, ids, path)
            places = [heading.index(id) for id in ids]
            for number, row in enumerate(reader, start=1):
                # In a file with a single column, an empty line is an empty cell.
                cells = row or [""]
                with within("line", reader.line_num, name=f"{path} line {reader.line_num}"):
                    _check_row(cells, heading, number)
                yield reader.line_num, tuple(cells[place].strip() for place in places)
    except OSError as error:
        raise Refusal("unreadable", str(path), reason=error.strerror) from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise Refusal("bad_csv.encoding", str(path), reason=error) from None


def _check_heading(heading: Sequence[str], ids: Sequence[str], path: Path) -> None:
    for id in heading:
        require(id in ids, "bad_heading.unknown", str(path), column=id)
        require(heading.count(id) == 1, "bad_heading.twice", str(path), column=id)
    for id in ids:
        require(id in heading, "bad_heading.missing", str(path), column=id)


def _check_row(cells: Sequence[str], heading: Sequence[str], number: int) -> None:
    require(len(cells) == len(heading), "bad_csv.cells", wanted=len(heading), got=len(cells))
    require(number <= MAX_PEOPLE, "too_many_people", most=MAX_PEOPLE)
