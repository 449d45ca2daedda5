"""A CSV file of true answers: a column for every question, a row for every person.

A cell holds the label of an option, or the number itself. Labels of several check-boxes are parted
by `;`, and no box is an empty cell. Elsewhere an empty cell is "prefer not to say", where the
question has that option. What skip logic hides is not read: it does not apply.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from client.refusal import Refusal, require, within
from client.simulate.people import People
from client.simulate.people_cells import ReadCell, cell_reader
from client.simulate.truths import as_row
from client.skipping import is_shown
from client.survey import Survey

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
