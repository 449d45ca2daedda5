"""`candor simulate` from a file of people, and into a file with a figure."""

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.figures import complaint, figures, run, survey_file

PEOPLE = "smokes,drinks\nYes,Often\nNo,Often\nNo,Never\nNo,Often\n"
QUESTION = ("simulate", "--kind", "yes-no", "--seed", "1", "--repeats", "10")
ONE = (*QUESTION, "--epsilon", "1", "--respondents", "1000")
GRID = (*QUESTION, "--epsilons", "0.5,2", "--respondents", "1e3,1e4")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def test_respondents_are_drawn_from_the_people_of_a_file(tmp_path: Path, people: Path) -> None:
    size = ("--respondents", "1000", "--repeats", "50", "--seed", "1")
    answer = figures("simulate", survey_file(tmp_path), "--people", people, *size)
    truths = [[row["truth"] for row in q["options"]] for q in answer["questions"]]
    assert truths == [[0.75, 0.25], [0.25, 0.75]]
    yes = answer["questions"][0]["options"][1]
    assert yes["promised_error"] > yes["promised_noise_error"]
    assert abs(yes["bias"]) < 5 * yes["bias_error"]


def test_everybody_answers_once_unless_respondents_are_counted(
    tmp_path: Path, people: Path
) -> None:
    answer = figures("simulate", survey_file(tmp_path), "--people", people, "--repeats", 5)
    assert answer["respondents"] == 4
    yes = answer["questions"][0]["options"][1]
    # Nobody is left out, so only the randomizer makes an error.
    assert yes["promised_error"] == pytest.approx(yes["promised_noise_error"])
    assert yes["rmse"] == pytest.approx(yes["noise_rmse"])


def test_people_and_shares_exclude_each_other(tmp_path: Path, people: Path) -> None:
    both = ("simulate", survey_file(tmp_path), "--people", people, "--zipf", "1")
    assert "give either --people, or --shares" in complaint(*both)


def test_a_bad_cell_is_named(tmp_path: Path, people: Path) -> None:
    people.write_text(PEOPLE.replace("No,Never", "No,Seldom"))
    bad = complaint("simulate", survey_file(tmp_path), "--people", people)
    assert "line 4" in bad
    assert "drinks" in bad
    assert "Seldom" in bad


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (ONE, "mean estimate"),
        (GRID, "trusted curator"),
        ((*GRID, "--figure", "price"), "curator needs for the same error"),
        ((*ONE, "--figure", "errors"), "promised"),
    ],
)
def test_a_figure_is_drawn(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    plot = tmp_path / "figure.svg"
    drawn = run(*arguments, "--plot", plot)
    assert drawn.exit_code == 0, drawn.stderr
    assert "Error: root mean square over the samples" in drawn.stdout
    text = "".join(ElementTree.parse(plot).getroot().itertext())
    assert words in " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--plot", "figure.gif"), "must end in .svg, .png or .pdf"),
        (("--plot", "missing/figure.svg"), "is not a folder"),
        (("--plot", "taken.svg"), "exists and is not overwritten"),
        (("--figure", "price"), "--figure needs --plot FILE"),
        (("--plot", "a.svg", "--figure", "estimates"), "is for one epsilon"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_before_anything_is_drawn(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken.svg").write_text("mine")
    # This many would take hours, so a late refusal would be noticed.
    endless = (*GRID, "--respondents", "1e9,2e9", "--repeats", "1e6", "--engine", "respondents")
    assert reason in complaint(*endless, *arguments)
    assert Path("taken.svg").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["taken.svg"]


def test_a_table_of_a_mean_has_no_option() -> None:
    number = ("simulate", "--kind", "number", "--lo", "0", "--hi", "9", "--epsilon", "1")
    (row,) = csv.DictReader(run(*number, "--respondents", "100", "--csv").stdout.splitlines())
    assert (row["label"], row["option"]) == ("mean", "")


def test_reports_are_written_for_a_survey_and_its_people(tmp_path: Path, people: Path) -> None:
    survey, out = survey_file(tmp_path), tmp_path / "reports.csv"
    size = ("--respondents", "400", "--seed", "1", "--out", out)
    result = run("simulate", survey, "--people", people, *size)
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"400 reports written to {out}" in result.stderr
    estimates = figures("estimate", out, "--survey", survey)["estimates"]
    (often,) = (row for row in estimates if row["label"] == "Often")
    assert abs(often["share"] - 0.75) < 5 * often["standard_error"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--epsilons", "1,2", "--out", "a.csv"), "are for one epsilon and one --respondents"),
        (("--epsilon", "1", "--out", "a.csv", "--json"), "candor estimate has the figures"),
        (("--epsilon", "1", "--out", "a.csv", "--plot", "a.svg"), "candor estimate has the"),
        (("--epsilon", "1", "--out", "a.csv", "--send", "x"), "give either --out or --send"),
        (("--epsilon", "1", "--out", "a.xml"), "must end in .jsonl, .csv or .parquet"),
        (("--epsilon", "1", "--send", "http://127.0.0.1:1/s/live"), "live"),
    ],
)
def test_reports_that_cannot_go_there_are_refused(
    arguments: tuple[str, ...], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert reason in complaint(*QUESTION, "--respondents", "10", *arguments)
    assert list(tmp_path.iterdir()) == []
