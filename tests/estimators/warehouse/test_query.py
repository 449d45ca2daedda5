"""The query counts what `candor tally` counts, and refuses the rows that it refuses."""

from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from client.core.mechanisms import MECHANISMS
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.formats import schema_of
from estimators.counting.reports_file import tally_file
from estimators.tallies.adding import Adding
from estimators.tallies.counting import add_files
from estimators.warehouse.dialects import DIALECTS
from estimators.warehouse.result import read_result
from tests.support.surveys import survey_of
from tests.support.tallies import ASKED_THREE, BY_LINK, PLAIN, SHAPES, report_file, survey_with
from tests.support.warehouse import count_in_warehouse, write_rows

REPORTS = 300


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_query_counts_what_the_tally_counts(dialect: str, shape: str, tmp_path: Path) -> None:
    survey = survey_with(shape)
    paths = [report_file(tmp_path / f"r{at}.parquet", survey, REPORTS, at) for at in range(3)]
    rows = count_in_warehouse(survey, dialect, str(tmp_path / "r*.parquet"))
    found = read_result(write_rows(tmp_path / "result.csv", rows), survey)
    adding = Adding()
    adding.add(found, "result.csv")
    own = Adding(survey)
    add_files(own, paths)
    assert adding.result().groups == own.result().groups
    assert found.reports == 3 * REPORTS


def entries(question: Question) -> list[Any]:
    """Return entries of a column, most of which are no reports, by changing the longest report."""
    longest = question.mechanism.longest
    if not isinstance(longest, list):
        most = question.mechanism.cells - 1
        return [0, most, -1, most + 1, 2**31 - 1, -(2**31), None]
    nested = isinstance(longest[0], list)
    changed: list[Any] = [longest, [], longest[:-1], [*longest, longest[-1]], longest[::-1], None]
    for at, mark in enumerate(longest):
        numbers = mark if nested else [mark]
        for place, number in enumerate(numbers):
            for other in (number - 1, number + 1, -1, 0, 1, 2**31 - 1, None):
                new = [*numbers[:place], other, *numbers[place + 1 :]]
                changed.append([*longest[:at], new if nested else new[0], *longest[at + 1 :]])
        if nested:
            for wrong in ([], numbers[:1], [*numbers, 0], None):
                changed.append([*longest[:at], wrong, *longest[at + 1 :]])
    return changed


def is_report(entry: Any, question: Question) -> bool:
    try:
        question.mechanism.check(entry, question.id)
    except Refusal:
        return False
    return True


def questions() -> list[Question]:
    """A question of every mechanism; of lists also longer ones."""
    plain, asked = survey_with(PLAIN), survey_with(ASKED_THREE)
    found = {(each.mechanism.name, str(each.mechanism.longest)): each for each in plain.questions}
    found |= {(e.mechanism.name, str(e.mechanism.longest)): e for e in asked.questions}
    return list(found.values())


def alone(question: Question) -> Survey:
    """Return a survey with this question only."""
    return survey_of(
        Question(question.id, "?", question.kind, question.epsilon, question.mechanism)
    )


def test_every_mechanism_is_tried() -> None:
    assert {question.mechanism.name for question in questions()} == set(MECHANISMS)


@pytest.mark.parametrize("question", questions(), ids=lambda each: each.id)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_query_refuses_what_the_mechanism_refuses(
    dialect: str, question: Question, tmp_path: Path
) -> None:
    """All of the wrong rows are refused, none of the right ones, and those are counted alike."""
    survey = alone(question)
    path = tmp_path / "rows.parquet"
    depth = str(schema_of(survey).field(0).type).count("list")
    type = arrow.int32()
    for _ in range(depth):
        type = arrow.list_(type)

    def write(some: list[Any]) -> None:
        table = arrow.table({question.id: arrow.array(some, type=type)})
        named = table.replace_schema_metadata(schema_of(survey).metadata)
        parquet.write_table(named, path)

    tried = entries(question)
    right = [entry for entry in tried if is_report(entry, question)]
    wrong = [entry for entry in tried if not is_report(entry, question)]
    assert right
    assert len(wrong) >= 4
    write(right)
    rows = count_in_warehouse(survey, dialect, str(path))
    counted = read_result(write_rows(tmp_path / "result.csv", rows), survey)
    assert counted.tallies == tally_file(path, survey)
    write(wrong)
    rows = count_in_warehouse(survey, dialect, str(path))
    assert [row["reports"] for row in rows if row["kind"] == "refused"] == [len(wrong)]
    for entry in wrong:
        # Among many, where no count would be too large.
        write([*8 * right, entry])
        with pytest.raises(Refusal) as caught:
            tally_file(path, survey)
        assert f"row {8 * len(right) + 1}: " in caught.value.message


@pytest.mark.parametrize("dialect", DIALECTS)
def test_rows_that_answer_too_many_questions_or_too_few_are_refused(
    dialect: str, tmp_path: Path
) -> None:
    survey = survey_with(ASKED_THREE)
    path = report_file(tmp_path / "reports.parquet", survey, 40)
    table = parquet.read_table(path)
    place = table.column_names.index("smokes")
    answers = [1 if answer is None else None for answer in table.column("smokes").to_pylist()]
    table = table.set_column(place, "smokes", arrow.array(answers, arrow.int32()))
    parquet.write_table(table, path)
    rows = count_in_warehouse(survey, dialect, str(path))
    assert [row["reports"] for row in rows if row["kind"] == "refused"] == [40]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_labels_of_groups_are_read_as_in_a_file(dialect: str, tmp_path: Path) -> None:
    survey = survey_with(BY_LINK)
    assert survey.groups
    first, second = survey.groups.factors
    cases = [
        (first.levels[0], second.levels[0], "0-0"),
        (first.levels[1], second.levels[2], "1-2"),
        ("", "", ""),
        (None, None, ""),
    ]
    wrong = [(first.levels[0], ""), (first.levels[0].upper(), second.levels[0]), ("x", "y")]
    path = report_file(tmp_path / "reports.parquet", survey, len(cases) + len(wrong))
    table = parquet.read_table(path)
    for at, id in enumerate(("arm", "site")):
        labels = [case[at] for case in (*cases, *wrong)]
        column = arrow.array(labels, arrow.string())
        table = table.set_column(table.column_names.index(id), id, column)
    parquet.write_table(table, path)
    rows = count_in_warehouse(survey, dialect, str(path))
    counted = {row["survey_group"]: row["reports"] for row in rows if row["kind"] == "reports"}
    assert counted == {"0-0": 1, "1-2": 1, "": 2, None: len(wrong)}
    assert [row["reports"] for row in rows if row["kind"] == "refused"] == [len(wrong)]
    with pytest.raises(Refusal, match=r"3 rows of the table that .* counts are no reports to this"):
        read_result(write_rows(tmp_path / "result.csv", rows), survey)
