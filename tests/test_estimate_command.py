"""`candor estimate`: counts and files of reports become estimates, bad input one clear line."""

import json
from pathlib import Path
from typing import Any

import pytest

from client.draft import build_survey
from client.report import Report
from client.survey import Survey
from client.survey_file import load_survey, read_survey_file
from tests.figures import complaint, figures, run, survey_file

COUNTS = ("estimate", "--mechanism", "rr", "--epsilon", "1", "--counts")


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


def test_counts_become_figures() -> None:
    answer = figures(*COUNTS, "569,431")
    assert (answer["mechanism"], answer["epsilon"], answer["n"]) == ("rr", "1", 1000)
    assert answer["threshold"] == 3139872686
    no, yes = answer["estimates"]
    # (431 - 1000 q) / (p - q) with p = T / 2^32
    assert yes["total"] == pytest.approx(350.687, abs=5e-4)
    assert no["total"] == pytest.approx(1000 - 350.687, abs=5e-4)
    assert yes["share"] == pytest.approx(0.350687, abs=5e-7)
    assert yes["noise_variance"] == pytest.approx(0.00092067, rel=1e-5)
    assert (answer["method"], answer["confidence"]) == ("wilson", 0.95)
    assert yes["low"] == pytest.approx(0.284965, abs=5e-7)
    assert yes["high"] == pytest.approx(0.417553, abs=5e-7)


def test_negative_estimates_are_printed_as_they_are_with_the_clipped_ones_beside() -> None:
    yes = figures(*COUNTS, "900,100")["estimates"][1]
    assert yes["share"] < 0
    assert yes["clipped_share"] == 0
    assert yes["flag"] is True


def test_an_exact_interval_and_a_confidence_on_request() -> None:
    plain = figures(*COUNTS, "569,431")["estimates"][1]
    exact = figures(*COUNTS, "569,431", "--exact")
    assert exact["method"] == "clopper_pearson"
    assert exact["estimates"][1]["low"] < plain["low"]
    wide = figures(*COUNTS, "569,431", "--confidence", "0.99")
    assert wide["confidence"] == 0.99
    assert wide["estimates"][1]["high"] > plain["high"]


def test_the_table_is_for_people() -> None:
    output = run(*COUNTS, "569,431").stdout
    assert "1,000 reports" in output
    assert "35.07%" in output
    assert "28.50% to 41.76%" in output
    assert "350.7" in output
    assert "No possible share" not in output
    assert "No possible share" in run(*COUNTS, "900,100").stdout


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
    assert "1 reports" in output
    assert "drinks" in output


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{}", "lacks the key 'fingerprint'"),
        ('{"fingerprint":"0","randomized":{}}', "made for another version"),
        ("not json", "is not JSON"),
        ("", "is not JSON"),
        ("[" * 100, "nested more than 4 deep"),
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


@pytest.mark.parametrize("counts", ["-1,5", "1.5,2", "1e3,2", "nan,2", "a,b", "", "5,", "٣,4"])
def test_counts_that_are_no_natural_numbers_are_refused(counts: str) -> None:
    message = complaint(*COUNTS[:-1], f"--counts={counts}")
    assert "counts must be integers of at least 0 such as 569,431" in message


@pytest.mark.parametrize("epsilon", ["nan", "0", "inf", "-1", "10.1", "one"])
def test_an_epsilon_that_is_none_is_refused(epsilon: str) -> None:
    message = complaint("estimate", f"--epsilon={epsilon}", "--counts", "5,5")
    assert message.startswith("epsilon must be")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--epsilon", "1", "--counts", "5"), "counts must have 2 cells for rr, got 1"),
        (("--epsilon", "1", "--counts", "0,0"), "needs at least one report"),
        (("--mechanism", "plain", "--epsilon", "1", "--counts", "5,5"), "mechanism must be rr"),
        (("--epsilon", "1", "--counts", "5,5", "--confidence", "1"), "confidence must be between"),
        (
            ("--epsilon", "1", "--counts", "5,5", "--confidence", "nan"),
            "confidence must be between",
        ),
        (("--counts", "5,5"), "give either --counts with --epsilon, or REPORTS with --survey"),
        (("--epsilon", "1"), "give either --counts"),
        (("reports.jsonl",), "give either --counts"),
        ((), "give either --counts"),
    ],
)
def test_input_that_makes_no_sense_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in complaint("estimate", *arguments)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path, path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    assert "cannot be read: No such file" in complaint("estimate", missing, "--survey", path)
    assert "cannot be read: No such file" in complaint("estimate", missing, "--survey", missing)
    folder = tmp_path / "folder.jsonl"
    folder.mkdir()
    assert "cannot be read: Is a directory" in complaint("estimate", folder, "--survey", path)
    assert "must end in .jsonl, .csv or .parquet" in complaint("estimate", path, "--survey", path)


def test_figures_are_plain_json_even_at_a_share_of_zero(tmp_path: Path) -> None:
    """No NaN and no Infinity, which JSON does not have."""
    result = run(*COUNTS, "1,0", "--json")

    def refuse(text: str) -> None:
        raise AssertionError(text)

    json.loads(result.stdout, parse_constant=refuse)


@pytest.mark.parametrize(
    ("mechanism", "shape", "counts", "n"),
    [
        ("ss", ("--options", "5", "--size", "2"), "90,80,80,70,80", 200),
        ("hr", ("--options", "3"), "10,20,30,40", 100),
        ("smp", ("--options", "2", "--asked", "1"), "30,20,25,25", 100),
        ("privset", ("--options", "3", "--at-most", "2", "--size", "1"), "30,20,25,15,10", 100),
    ],
)
def test_counts_of_every_mechanism_become_shares(
    mechanism: str, shape: tuple[str, ...], counts: str, n: int
) -> None:
    answer = figures(
        *("estimate", "--mechanism", mechanism, *shape, "--epsilon", "1", "--counts", counts)
    )
    assert (answer["mechanism"], answer["n"]) == (mechanism, n)
    assert {row["quantity"] for row in answer["estimates"]} == {"share"}
    assert all(row["low"] < row["share"] < row["high"] for row in answer["estimates"])


@pytest.mark.parametrize(
    ("mechanism", "shape", "counts"),
    [("rt", ("--top", "2"), "30,20,25,25"), ("isw", ("--top", "2", "--width", "1"), "5,9,9,5")],
)
def test_counts_of_levels_become_a_mean_and_a_distribution(
    mechanism: str, shape: tuple[str, ...], counts: str
) -> None:
    command = ("estimate", "--mechanism", mechanism, *shape, "--epsilon", "1", "--counts", counts)
    rows = figures(*command)["estimates"]
    assert [row["quantity"] for row in rows[:2]] == ["mean", "median"]
    output = run(*command).stdout
    assert "median" in output
    assert "at_most" not in output


def test_counts_that_reports_could_not_have_made_are_refused() -> None:
    shape = ("--mechanism", "ss", "--options", "3", "--size", "2")
    message = complaint("estimate", *shape, "--epsilon", "1", "--counts", "3,3,1")
    assert "counts must add up to 2 for each report, got 7" in message


def test_of_a_long_list_the_largest_shares_are_printed() -> None:
    counts = ",".join(["5"] * 64)
    output = run(
        "estimate", "--mechanism", "hr", "--options", "40", "--epsilon", "1", "--counts", counts
    )
    assert "15 smaller shares are not shown; --json has them." in output.stdout


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
    assert "colour: blue leads" in run("estimate", lines, "--survey", path).stdout


def test_a_question_that_should_have_been_asked_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "sampled.yaml"
    path.write_text(SAMPLED_FILE)
    table = tmp_path / "reports.csv"
    table.write_text("smokes,colour\nnull,null\n")
    message = complaint("estimate", table, "--survey", path)
    assert "line 2: the report must be about 1 of the questions, got 0" in message


def test_of_a_fine_grid_some_cumulative_shares_are_printed() -> None:
    shape = ("--mechanism", "isw", "--top", "60", "--width", "40")
    counts = ",".join(["5"] * 101)
    output = run("estimate", *shape, "--epsilon", "1", "--counts", counts).stdout
    assert "at most 50" in output
    assert "at most 51" not in output
    assert "not shown" not in output
