"""Reports read many at a time: nothing passes that would not pass alone."""

import json
from pathlib import Path

import pytest

from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.survey import Survey
from estimators.counting import text_rows
from estimators.counting.reports_file import tally_file
from estimators.simulation.reports import write_reports
from tests.support.every_kind import every_kind, reports_to
from tests.support.surveys import survey_of, yes_no

ROWS = 60


@pytest.fixture(params=[False, True], ids=["everybody", "sampled"])
def survey(request: pytest.FixtureRequest) -> Survey:
    return every_kind(sampled=request.param)


@pytest.fixture(params=[".jsonl", ".csv"])
def path(survey: Survey, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / f"reports{request.param}"
    write_reports(reports_to(survey, ROWS), path, survey)
    return path


def refusal(path: Path, survey: Survey) -> str:
    with pytest.raises(Refusal) as caught:
        tally_file(path, survey)
    return caught.value.message


@pytest.mark.parametrize("limit", ["MOST_ROWS", "MOST_BYTES"])
def test_tallies_do_not_depend_on_how_many_rows_are_counted_together(
    survey: Survey, path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    together = tally_file(path, survey)
    monkeypatch.setattr(text_rows, limit, 7)
    assert tally_file(path, survey) == together


def test_reports_that_are_spelled_in_another_way_count_the_same(survey: Survey, path: Path) -> None:
    before = tally_file(path, survey)
    lines = path.read_text().splitlines()
    # Every second one has spaces inside; the others are canonical.
    for place in range(1, ROWS, 2):
        if path.suffix == ".csv":
            lines[place] = lines[place].replace("null", " null ").replace("[", " [ ")
        else:
            lines[place] = json.dumps(json.loads(lines[place]))
    path.write_text("\n".join(lines))
    assert tally_file(path, survey) == before


@pytest.mark.parametrize("limit", [1, 8, 1000])
@pytest.mark.parametrize("line", [2, 30, ROWS])
def test_a_bad_cell_is_refused_by_its_line(
    survey: Survey, path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, line: int
) -> None:
    monkeypatch.setattr(text_rows, "MOST_ROWS", limit)
    lines = path.read_bytes().splitlines(keepends=True)
    place = line - 1
    lines[place] = lines[place].replace(b"]", b",999]", 1)
    path.write_bytes(b"".join(lines))
    assert refusal(path, survey).startswith(f"{path} line {line}: ")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (b"007", "smokes is not JSON: Extra data"),
        (b"[0", "smokes is not JSON"),
        (b"[[[[[0]]]]]", "smokes is nested more than 4 levels deep"),
        (b"9999999999999999", "numbers must have at most 15 digits"),
        (b"[1]", "smokes must be an integer from 0 to 1, got [1]"),
        (b"null", "smokes must be an integer from 0 to 1, got None"),
        (b"\xff", "body must be UTF-8 text"),
    ],
)
def test_a_cell_that_only_looks_like_an_answer_is_refused(
    tmp_path: Path, cell: bytes, reason: str
) -> None:
    survey = every_kind(sampled=False)
    path = tmp_path / "reports.jsonl"
    write_reports(reports_to(survey, ROWS), path, survey)
    head, key, tail = path.read_bytes().rpartition(b'"smokes":')
    path.write_bytes(head + key + cell + tail[1:])
    assert refusal(path, survey).startswith(f"{path} line {ROWS}: {reason}")


@pytest.mark.parametrize("line", [1, 10, 30])
def test_a_report_about_too_few_questions_is_refused_by_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: int
) -> None:
    monkeypatch.setattr(text_rows, "MOST_ROWS", 7)
    survey = survey_of(yes_no("a", "1"), yes_no("b", "1"), ask_each_person=1)
    lines = [Report(survey.fingerprint, {"a": 1, "b": None}).body] * 30
    lines[line - 1] = Report(survey.fingerprint, {"a": None, "b": None}).body
    path = tmp_path / "reports.jsonl"
    path.write_bytes(b"\n".join(lines))
    reason = "the report must answer 1 of the questions, got 0"
    assert refusal(path, survey) == f"{path} line {line}: {reason}"
