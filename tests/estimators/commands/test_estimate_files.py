"""`candor estimate` on files of reports: counted, or refused by the line that is wrong."""

from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import load_survey, read_survey_file
from client.core.report import Report
from client.core.survey import Survey
from tests.support.exported import exported, reports_of, survey_to_export, unpack
from tests.support.figures import complaint, figures, run, survey_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return survey_file(tmp_path)


@pytest.fixture
def survey(path: Path) -> Survey:
    return load_survey(path)


def write_reports(folder: Path, survey: Survey, *pairs: tuple[int, int]) -> Path:
    file = folder / "reports.jsonl"
    bodies = [
        Report(survey.fingerprint, {"smokes": smokes, "drinks": drinks}).body
        for smokes, drinks in pairs
    ]
    file.write_bytes(b"".join(body + b"\n" for body in bodies))
    return file


def test_a_file_of_reports_is_counted(tmp_path: Path, path: Path, survey: Survey) -> None:
    reports = write_reports(tmp_path, survey, (1, 0), (1, 1), (0, 0), (1, 0))
    answer = figures("estimate", reports, "--survey", path)
    assert (answer["survey"], answer["n"]) == ("habits", 4)
    assert answer["fingerprint"] == survey.fingerprint
    counted = {(row["question"], row["label"]): row for row in answer["estimates"]}
    assert counted["smokes", "Yes"]["reported_count"] == 3
    assert counted["drinks", "Never"]["reported_count"] == 3
    assert counted["drinks", "Often"]["epsilon"] == "0.5"


def test_a_published_document_serves_as_the_survey(
    tmp_path: Path, path: Path, survey: Survey
) -> None:
    reports = write_reports(tmp_path, survey, (1, 0))
    document = tmp_path / "survey.json"
    document.write_bytes(survey.document)
    by_document = figures("estimate", reports, "--survey", document)
    assert by_document == figures("estimate", reports, "--survey", path)


def test_a_csv_file_gives_the_same_estimates(tmp_path: Path, path: Path, survey: Survey) -> None:
    lines = write_reports(tmp_path, survey, (1, 0), (1, 1), (0, 0))
    table = tmp_path / "reports.csv"
    table.write_text("drinks,smokes\r\n0,1\r\n1,1\r\n0,0\r\n")
    by_lines = figures("estimate", lines, "--survey", path)
    assert figures("estimate", table, "--survey", path) == by_lines


def test_a_file_of_reports_prints_a_table(tmp_path: Path, path: Path, survey: Survey) -> None:
    output = run("estimate", write_reports(tmp_path, survey, (1, 0)), "--survey", path).stdout
    assert "1 report" in output
    assert "drinks" in output


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{}", "has no key 'fingerprint'"),
        ('{"fingerprint":"0","randomized":{}}', "made for another version"),
        ("not json", "is not JSON"),
        ("", "is not JSON"),
        ("[" * 100, "nested more than 4 levels deep"),
        ("x" * 70_000, "must be at most 65536 bytes"),
    ],
)
def test_a_bad_line_is_refused_by_its_number(
    tmp_path: Path, path: Path, survey: Survey, line: str, reason: str
) -> None:
    reports = write_reports(tmp_path, survey, (1, 0))
    reports.write_text(reports.read_text() + line + "\n")
    message = complaint("estimate", reports, "--survey", path)
    assert f"{reports} line 2: " in message
    assert reason in message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("smokes\n1\n", "must have the columns smokes,drinks, got 'smokes'"),
        ("", "must have the columns smokes,drinks"),
        ("smokes,drinks\n1,2\n", "line 2: drinks must be an integer from 0 to 1, got 2"),
        ("smokes,drinks\n1,true\n", "line 2: drinks must be an integer from 0 to 1, got True"),
        ("smokes,drinks\n1,0.0\n", "line 2: numbers must be integers"),
        ("smokes,drinks\n1,NA\n", "line 2: drinks is not JSON"),
        ("smokes,drinks\n1\n", "line 2: a row must have 2 cells, got 1"),
        ('smokes,drinks\n1,"0\n', "line 2: unexpected end of data"),
        ("smokes,drinks\n", "holds no reports"),
    ],
)
def test_a_bad_csv_file_is_refused(tmp_path: Path, path: Path, text: str, reason: str) -> None:
    table = tmp_path / "reports.csv"
    table.write_text(text)
    assert reason in complaint("estimate", table, "--survey", path)


def test_reports_to_another_survey_are_refused(tmp_path: Path, path: Path, survey: Survey) -> None:
    other = build_survey(read_survey_file(path), version=2)
    reports = write_reports(tmp_path, other, (1, 0))
    assert "another version of this survey" in complaint("estimate", reports, "--survey", path)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path, path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    assert "cannot be read: No such file" in complaint("estimate", missing, "--survey", path)
    assert "cannot be read: No such file" in complaint("estimate", missing, "--survey", missing)
    folder = tmp_path / "folder.jsonl"
    folder.mkdir()
    assert "cannot be read: Is a directory" in complaint("estimate", folder, "--survey", path)
    assert "must end in .jsonl, .csv or .parquet" in complaint("estimate", path, "--survey", path)


SAMPLED_FILE = """
slug: sampled
title: Sampled
ask_each_person: 1
questions:
  - {id: smokes, prompt: "Do you smoke?", epsilon: 1}
  - {id: colour, kind: one_of, prompt: Colour, options: [red, green, blue], epsilon: 1}
"""


def test_a_question_that_was_not_asked_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "sampled.yaml"
    path.write_text(SAMPLED_FILE)
    survey = load_survey(path)
    one: dict[str, Any] = {"smokes": 1, "colour": None}
    answers = [one, {"smokes": None, "colour": [2]}] * 3
    answers.append({"smokes": 0, "colour": None})
    bodies = [Report(survey.fingerprint, answer).body for answer in answers]
    lines = tmp_path / "reports.jsonl"
    lines.write_bytes(b"".join(body + b"\n" for body in bodies))
    answer = figures("estimate", lines, "--survey", path)
    assert answer["n"] == 7
    counted = {(row["question"], row["label"]): row for row in answer["estimates"]}
    assert (counted["smokes", "Yes"]["n"], counted["smokes", "Yes"]["reported_count"]) == (4, 3)
    assert (counted["colour", "blue"]["n"], counted["colour", "blue"]["reported_count"]) == (3, 3)
    table = tmp_path / "reports.csv"
    rows = [("null" if a["smokes"] is None else a["smokes"], a["colour"]) for a in answers]
    table.write_text(
        "smokes,colour\n" + "".join(f'{s},"{"null" if c is None else c}"\n' for s, c in rows)
    )
    assert figures("estimate", table, "--survey", path) == answer
    printed = run("estimate", lines, "--survey", path).stdout
    assert (
        "colour: With 95 % confidence the largest share is that of blue, red or green." in printed
    )


def test_a_question_that_should_have_been_asked_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "sampled.yaml"
    path.write_text(SAMPLED_FILE)
    table = tmp_path / "reports.csv"
    table.write_text("smokes,colour\nnull,null\n")
    message = complaint("estimate", table, "--survey", path)
    assert "line 2: the report must answer 1 of the questions, got 0" in message


def test_an_export_is_estimated_as_its_reports_are(tmp_path: Path) -> None:
    survey = survey_to_export(sampled=False)
    zipped = tmp_path / "export.zip"
    zipped.write_bytes(exported(survey, reports_of(survey, 60)))
    folder = unpack(zipped.read_bytes(), tmp_path / "unpacked")
    expected = figures("estimate", folder / "reports.csv", "--survey", folder / "survey.json")
    assert figures("estimate", zipped) == expected
    assert figures("estimate", folder) == expected


def test_groups_have_their_own_totals_and_add_up(tmp_path: Path) -> None:
    (tmp_path / "design.json").write_text(
        '{"format": 1, "questions": {"y": {"kind": "warner", "p": 0.75}}}'
    )
    table = tmp_path / "answers.csv"
    table.write_text("y,place\n" + "1,north\n0,north\n" * 30 + "1,south\n1,south\n0,\n" * 20)
    answer = figures("estimate", table, "--design", tmp_path / "design.json", "--by", "place")
    totals = {(row["group"], row["label"]): row["total"] for row in answer["groups"]}
    # (40 - 40/4)/(1/2) of 40 in the south: reports that are all alike say more than everybody.
    assert totals[("south", "1")] == pytest.approx(60)
    assert totals[("north", "1")] == pytest.approx(30)
    assert {row["n"] for row in answer["groups"]} == {60, 40}
    assert answer["designs"][0]["matrix"][1] == [0.25, 0.75]
    assert "nowhere is not a covariate" in complaint(
        "estimate", table, "--design", tmp_path / "design.json", "--by", "nowhere"
    )
