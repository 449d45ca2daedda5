"""Files of synthetic reports: the bytes of the wire, in every format, whole or not at all."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from client.console.files import new_file
from client.core.mechanisms import MECHANISMS
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.survey import Survey
from estimators.counting.formats import SUFFIXES
from estimators.counting.reports_file import tally_file
from estimators.counting.tally import Tally
from estimators.simulation import reports
from estimators.simulation.reports import Columns, write_reports
from tests.support.every_kind import every_kind, reports_to


@pytest.fixture(params=[False, True], ids=["everybody", "sampled"])
def survey(request: pytest.FixtureRequest) -> Survey:
    return every_kind(sampled=request.param)


def written(survey: Survey, path: Path) -> list[Report]:
    """Write a new file, and return the reports that it then holds."""
    batches = list(reports_to(survey))
    write_reports(batches, path, survey)
    return [report for columns in batches for report in columns.reports()]


def test_the_survey_has_every_mechanism() -> None:
    questions = every_kind(sampled=False).questions
    assert {question.mechanism.name for question in questions} == set(MECHANISMS)


@pytest.mark.parametrize("block", [1, 2**12, 2**20])
def test_json_lines_are_the_bodies_of_the_reports(
    survey: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(reports, "BLOCK_BYTES", block)
    path = tmp_path / "reports.jsonl"
    drawn = written(survey, path)
    assert path.read_bytes() == b"".join(report.body + b"\n" for report in drawn)


def test_a_table_has_a_column_per_question_and_cells_as_in_the_reports(
    survey: Survey, tmp_path: Path
) -> None:
    path = tmp_path / "reports.csv"
    reports = written(survey, path)
    with path.open(newline="") as file:
        heading, *rows = csv.reader(file, strict=True)
    assert heading == [question.id for question in survey.questions]
    cells = [dict(zip(heading, map(json.loads, row), strict=True)) for row in rows]
    assert cells == [report.randomized for report in reports]


def test_a_parquet_file_has_typed_columns_and_names_its_survey(
    survey: Survey, tmp_path: Path
) -> None:
    path = tmp_path / "reports.parquet"
    reports = written(survey, path)
    table = parquet.read_table(path)
    assert table.to_pylist() == [report.randomized for report in reports]
    assert table.schema.metadata[b"candor.fingerprint"] == survey.fingerprint.encode()
    types = {field.name: str(field.type).replace(" not null", "") for field in table.schema}
    assert types["smokes"] == types["drinks"] == "int32"
    assert types["colour"] == types["trust"] == "list<element: int32>"
    assert types["any"] == "list<element: list<element: int32>>"
    # Null means "not asked", and says so in the type.
    assert {field.nullable for field in table.schema} == {bool(survey.ask_each_person)}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_is_read_back_with_the_same_tallies(
    survey: Survey, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"reports{suffix}"
    reports = written(survey, path)
    tallies = tally_file(path, survey)
    for question in survey.questions:
        answers = [report.randomized[question.id] for report in reports]
        given = [answer for answer in answers if answer is not None]
        assert tallies[question.id] == Tally.of_reports(question.mechanism, given)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_batch_is_written_before_the_next_one_is_drawn(
    survey: Survey, tmp_path: Path, suffix: str
) -> None:
    """So memory does not grow with the number of respondents."""
    told: list[int] = []

    def batches() -> Iterator[Columns]:
        for number in range(5):
            assert len(told) == number
            yield from reports_to(survey, 20)

    write_reports(batches(), tmp_path / f"reports{suffix}", survey, told.append)
    assert told == [20] * 5


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_exists_is_refused_before_anything_is_drawn(
    survey: Survey, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"reports{suffix}"
    path.write_text("precious")

    def batches() -> Iterator[Columns]:
        raise AssertionError("drawn")
        yield

    with pytest.raises(Refusal, match="exists and is not overwritten"):
        write_reports(batches(), path, survey)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_that_leads_nowhere_counts_as_taken(survey: Survey, tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    path.symlink_to(tmp_path / "elsewhere.csv")
    with pytest.raises(Refusal, match="exists and is not overwritten"):
        written(survey, path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_appears_meanwhile_is_kept(survey: Survey, tmp_path: Path) -> None:
    path = tmp_path / "reports.jsonl"

    def batches() -> Iterator[Columns]:
        yield from reports_to(survey)
        path.write_text("precious")

    with pytest.raises(Refusal, match="exists and is not overwritten"):
        write_reports(batches(), path, survey)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("trouble", [KeyboardInterrupt, Refusal("not_confirmed"), MemoryError])
def test_whatever_stops_the_writing_leaves_nothing_behind(
    survey: Survey, tmp_path: Path, suffix: str, trouble: Any
) -> None:
    path = tmp_path / f"reports{suffix}"

    def batches() -> Iterator[Columns]:
        yield from reports_to(survey)
        assert not path.exists()
        raise trouble

    with pytest.raises(trouble if isinstance(trouble, type) else Refusal):
        write_reports(batches(), path, survey)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_is_one_line_and_nothing_behind(tmp_path: Path) -> None:
    with (
        pytest.raises(Refusal, match=r"reports\.csv cannot be written: No space left on device"),
        new_file(tmp_path / "reports.csv"),
        open("/dev/full", "wb") as full,
    ):
        full.write(b"0" * 2**20)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("reports.txt", "must end in .jsonl, .csv or .parquet to hold reports"),
        ("reports", "must end in .jsonl, .csv or .parquet to hold reports"),
        ("missing/reports.csv", "is not a folder"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused(
    survey: Survey, tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        written(survey, tmp_path / name)
    assert reason in refusal.value.message
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_only_parquet_is_refused_with_the_way_to_install_it(
    survey: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "reports.parquet"
    written(survey, path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    advice = r"Parquet files need pyarrow; install it with: pip install 'candor-survey\[parquet\]'"
    with pytest.raises(Refusal, match=advice):
        written(survey, tmp_path / "others.parquet")
    with pytest.raises(Refusal, match=advice):
        tally_file(path, survey)
    assert list(tmp_path.iterdir()) == [path]
    written(survey, tmp_path / "reports.csv")
