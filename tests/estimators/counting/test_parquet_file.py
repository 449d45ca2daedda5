"""`candor estimate` reads Parquet files as strictly as any other file of reports."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.counting import parquet_file
from estimators.counting.reports_file import tally_file
from estimators.simulation.reports import write_reports
from tests.support.every_kind import every_kind, reports_to
from tests.support.figures import complaint, figures
from tests.support.surveys import one_of, sampled_boxes, survey_of, yes_no

ROWS = 300
FLIPS = 150


@pytest.fixture
def survey() -> Survey:
    return every_kind(sampled=False)


@pytest.fixture
def path(survey: Survey, tmp_path: Path) -> Path:
    path = tmp_path / "reports.parquet"
    write_reports(reports_to(survey, ROWS), path, survey)
    return path


def with_column(path: Path, name: str, values: list[Any], type: Any) -> None:
    """Replace one column by other values of another type."""
    table = parquet.read_table(path)
    place = table.column_names.index(name)
    column = arrow.array(values, type=type)
    table = table.set_column(place, arrow.field(name, column.type), column)
    parquet.write_table(table, path)


def change(path: Path, name: str, row: int, value: Any) -> None:
    """Replace one entry; rows count from 1, as messages do."""
    table = parquet.read_table(path)
    values = table.column(name).to_pylist()
    values[row - 1] = value
    nullable = {0: arrow.int32(), 1: arrow.list_(arrow.int32())}
    depth = str(table.schema.field(name).type).count("list")
    type = nullable.get(depth, arrow.list_(arrow.list_(arrow.int32())))
    with_column(path, name, values, type)


def refusal(path: Path, survey: Survey) -> str:
    with pytest.raises(Refusal) as caught:
        tally_file(path, survey)
    assert "\n" not in caught.value.message
    return caught.value.message


def test_the_command_gives_the_estimates_of_the_other_formats(tmp_path: Path) -> None:
    survey = survey_of(yes_no("a", "1"), one_of("b", 5, "1", size=2), sampled_boxes("c", 3, 2, "1"))
    document = tmp_path / "survey.json"
    document.write_bytes(survey.document)
    lines, path = tmp_path / "reports.jsonl", tmp_path / "reports.parquet"
    write_reports(reports_to(survey, ROWS), lines, survey)
    write_reports(reports_to(survey, ROWS), path, survey)
    answer = figures("estimate", path, "--survey", document)
    assert answer["n"] == ROWS
    assert answer == figures("estimate", lines, "--survey", document)
    path.write_bytes(b"PAR1")
    assert "is not a valid Parquet file" in complaint("estimate", path, "--survey", document)


@pytest.mark.parametrize("type", [arrow.int64(), arrow.uint8(), arrow.int16()], ids=str)
def test_integers_of_any_size_are_welcome(survey: Survey, path: Path, type: Any) -> None:
    before = tally_file(path, survey)
    table = parquet.read_table(path)
    with_column(path, "smokes", table.column("smokes").to_pylist(), type)
    with_column(path, "colour", table.column("colour").to_pylist(), arrow.large_list(type))
    with_column(path, "trust", table.column("trust").to_pylist(), arrow.list_(type, 2))
    assert tally_file(path, survey) == before


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("smokes", 2, "smokes must be an integer from 0 to 1, got 2"),
        ("smokes", -1, "smokes must be an integer from 0 to 1, got -1"),
        ("smokes", None, "smokes must be an integer from 0 to 1, got None"),
        ("name", 128, "name must be an integer from 0 to 127, got 128"),
        ("colour", [1, 0], "colour must be in increasing order without repeats"),
        ("colour", [], "colour must be a list of 2 options"),
        ("colour", [1, 2, 3], "colour must be a list of 2 options"),
        ("colour", [1, None], "colour must be an integer from 0 to 8, got None"),
        ("trust", [0, 1], "trust must be an integer from 1 to 10, got 0"),
        ("trust", [2**31 - 1, -(2**31)], "trust must be an integer from 1 to 10, got 2147483647"),
        ("any", [[3, 0]], "any must be an integer from 0 to 2, got 3"),
        ("any", [None], "any must be a pair of an index and a bit"),
        ("any", [[1]], "any must be a pair of an index and a bit"),
        ("any", [[1, None]], "any must be an integer from 0 to 1, got None"),
        ("any", [], "any must be a list of 1 options"),
    ],
)
@pytest.mark.parametrize("row", [1, ROWS])
def test_a_bad_entry_is_refused_by_row_and_column(
    survey: Survey,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    row: int,
    name: str,
    value: Any,
    reason: str,
) -> None:
    monkeypatch.setattr(parquet_file, "BATCH_ROWS", 50)
    change(path, name, row, value)
    assert refusal(path, survey) == f"{path} row {row}: {reason}"


def test_of_two_bad_entries_the_first_is_named(survey: Survey, path: Path) -> None:
    change(path, "smokes", 9, 3)
    change(path, "smokes", 200, 2)
    assert refusal(path, survey).startswith(f"{path} row 9: smokes must be")


@pytest.mark.parametrize(
    ("type", "convert"),
    [(arrow.float64(), float), (arrow.bool_(), bool), (arrow.string(), str)],
    ids=str,
)
def test_a_column_of_another_type_is_refused_by_its_name(
    survey: Survey, path: Path, type: Any, convert: Callable[[int], Any]
) -> None:
    answers = parquet.read_table(path).column("smokes").to_pylist()
    with_column(path, "smokes", [convert(answer) for answer in answers], type)
    reason = f"{path}: the column smokes must contain integers, got {type}"
    assert refusal(path, survey) == reason


def test_lists_where_numbers_belong_are_refused_and_the_other_way_round(
    survey: Survey, path: Path
) -> None:
    copy = path.read_bytes()
    with_column(path, "smokes", [[1]] * ROWS, arrow.list_(arrow.int32()))
    assert "column smokes must contain integers, got list<" in refusal(path, survey)
    path.write_bytes(copy)
    with_column(path, "any", [[1]] * ROWS, arrow.list_(arrow.int32()))
    assert "column any must contain lists of lists of integers, got list<" in refusal(path, survey)


def test_reports_to_another_survey_or_to_none_are_refused(survey: Survey, path: Path) -> None:
    assert "was made for another version" in refusal(path, every_kind(sampled=True))
    table = parquet.read_table(path).replace_schema_metadata(None)
    parquet.write_table(table, path)
    message = refusal(path, survey)
    assert f"its metadata must have candor.fingerprint = {survey.fingerprint}, got ''" in message


@pytest.mark.parametrize("surplus", [False, True])
def test_other_columns_than_the_questions_are_refused(
    survey: Survey, path: Path, surplus: bool
) -> None:
    table = parquet.read_table(path)
    other = table.append_column("age", table["smokes"]) if surplus else table.drop(["smokes"])
    parquet.write_table(other, path)
    assert "must have the columns smokes,colour,name" in refusal(path, survey)


def test_columns_in_another_order_are_counted(survey: Survey, path: Path) -> None:
    before = tally_file(path, survey)
    table = parquet.read_table(path)
    parquet.write_table(table.select(sorted(table.column_names)), path)
    assert tally_file(path, survey) == before


def test_a_report_about_too_few_questions_is_refused_by_its_row(tmp_path: Path) -> None:
    survey = every_kind(sampled=True)
    path = tmp_path / "reports.parquet"
    write_reports(reports_to(survey, ROWS), path, survey)
    answers = parquet.read_table(path).column("smokes").to_pylist()
    row = next(row for row, answer in enumerate(answers, start=1) if answer is not None)
    change(path, "smokes", row, None)
    reason = "the report must answer 3 of the questions, got 2"
    assert refusal(path, survey) == f"{path} row {row}: {reason}"


def test_a_file_without_rows_holds_no_reports(survey: Survey, path: Path) -> None:
    parquet.write_table(parquet.read_table(path).slice(0, 0), path)
    assert "holds no reports" in refusal(path, survey)


def test_a_damaged_file_is_refused_or_harmless(survey: Survey, path: Path) -> None:
    """One flipped bit anywhere never changes a tally, and raises nothing but a refusal."""
    whole, tallies = path.read_bytes(), tally_file(path, survey)
    places = random.Random(20261117)
    refused = 0
    for _ in range(FLIPS):
        damaged = bytearray(whole)
        damaged[places.randrange(len(whole))] ^= 1 << places.randrange(8)
        path.write_bytes(damaged)
        try:
            found = tally_file(path, survey)
        except Refusal:
            refused += 1
        else:
            assert found == tallies
    assert refused > FLIPS / 2


def test_a_file_that_hides_some_of_its_rows_is_refused(survey: Survey, path: Path) -> None:
    """The file's end says several times that it has 300 rows; here one place says 292."""
    whole, tallies = path.read_bytes(), tally_file(path, survey)
    said, hidden = b"\xd8\x04", b"\xc8\x04"  # 300 and 292 as variable-length integers
    announced = "is not a valid Parquet file: 300 rows announced, 292 found"
    reasons = []
    for place in range(len(whole)):
        if whole[place : place + 2] == said:
            path.write_bytes(whole[:place] + hidden + whole[place + 2 :])
            try:
                assert tally_file(path, survey) == tallies
            except Refusal as refusal:
                reasons.append(refusal.message)
    assert f"{path} {announced}" in reasons


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 0.99])
def test_a_file_cut_short_is_refused(survey: Survey, path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    assert "is not a valid Parquet file: " in refusal(path, survey)
