"""`candor simulate` is reproducible and honest about errors; also the client's small `simulate`."""

from pathlib import Path
from typing import Any

import pytest

from client.authoring.files import load_survey
from client.core.report import Report
from tests.support.figures import CLIENT, complaint, figures, run, survey_file

pytestmark = pytest.mark.usefixtures("same_words")

YES_NO = ("simulate", "--kind", "yes-no", "--epsilon", "1", "--shares", "0.7,0.3")
SMALL = (*YES_NO, "--respondents", "2000", "--repeats", "50", "--seed", "1")


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: answer[key] for key in answer if "second" not in key}


def test_the_estimates_are_where_the_formulas_promise() -> None:
    """A fixed seed; each figure within five of its standard errors."""
    answer = figures(*SMALL)
    yes = answer["questions"][0]["options"][1]
    assert (yes["label"], yes["truth"]) == ("Yes", 0.3)
    assert abs(yes["bias"]) < 5 * yes["bias_error"]
    assert yes["rmse"] == pytest.approx(yes["promised_error"], rel=0.5)
    assert abs(yes["coverage"] - 0.95) < 5 * yes["coverage_error"]
    assert answer["respondents_per_second"] > 0


def test_the_same_seed_gives_the_same_result() -> None:
    assert timeless(figures(*SMALL)) == timeless(figures(*SMALL))
    assert timeless(figures(*SMALL[:-1], "2")) != timeless(figures(*SMALL))


def test_a_seed_that_was_drawn_is_printed_so_that_it_can_be_used_again() -> None:
    first = figures(*SMALL[:-2])
    assert timeless(figures(*SMALL[:-1], first["seed"])) == timeless(first)


def test_a_survey_is_simulated_with_the_shares_of_its_questions(tmp_path: Path) -> None:
    path = survey_file(tmp_path)
    size = ("--respondents", "100", "--repeats", "2")
    answer = figures("simulate", path, *size, "--shares", "smokes=0.9,0.1")
    truths = [[row["truth"] for row in q["options"]] for q in answer["questions"]]
    assert truths == [[0.9, 0.1], [0.5, 0.5]]
    assert [q["epsilon"] for q in answer["questions"]] == ["1", "0.5"]


KINDS: list[tuple[tuple[str, ...], str, str]] = [
    (("--kind", "one-of", "--options", "5"), "ss", "options"),
    (("--kind", "one-of", "--options", "10000"), "hr", "options"),
    (("--kind", "any-of", "--options", "8"), "smp", "options"),
    (("--kind", "any-of", "--options", "12", "--at-most", "3"), "privset", "options"),
    (("--kind", "scale", "--lo", "1", "--hi", "5"), "ss", "options"),
    (("--kind", "scale", "--lo", "1", "--hi", "5", "--goal", "mean"), "rt", "mean"),
    (("--kind", "number", "--lo", "0", "--hi", "60"), "rt", "mean"),
    (("--kind", "number", "--lo", "0", "--hi", "6", "--goal", "distribution"), "isw", "mean"),
]


@pytest.mark.parametrize(("arguments", "mechanism", "figure"), KINDS)
def test_every_kind_of_question_is_simulated(
    arguments: tuple[str, ...], mechanism: str, figure: str
) -> None:
    size = ("--epsilon", "1", "--respondents", "500", "--repeats", "20", "--seed", "3")
    (question,) = figures("simulate", *arguments, *size)["questions"]
    assert question["mechanism"] == mechanism
    rows = question["options"] if figure == "options" else [question["mean"]]
    for row in rows[:30]:
        assert abs(row["bias"]) < 5 * row["bias_error"]
        assert row["coverage"] >= 0.7
    table = run("simulate", *arguments, *size).stdout
    assert "promised" in table
    assert ("9,970 more options" in table) == (len(rows) == 10_000)


def test_figures_without_any_report_are_blank_and_null() -> None:
    lonely = ("simulate", "--kind", "any-of", "--options", "50", "--epsilon", "1")
    size = ("--respondents", "1", "--repeats", "1", "--seed", "1")
    options = figures(*lonely, *size)["questions"][0]["options"]
    assert sum(row["bias"] is None for row in options) == 49
    assert "–" in run(*lonely, *size).stdout


def test_the_table_is_for_people() -> None:
    output = run(*SMALL).stdout
    assert "70.00%" in output
    assert "50 samples of 2,000 respondents, seed 1" in output
    assert "respondents per second" in output


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--shares", "0.7,0.4"), "shares must sum to 1"),
        (("--shares", "1"), "one share for each of the 2 options"),
        (("--shares", "nan,1"), "shares must be between 0 and 1"),
        (("--epsilon", "nan"), "epsilon must be a plain decimal"),
        (("--epsilon", "0"), "epsilon must be between 0.01 and 10"),
        (("--respondents", "0"), "respondents must be an integer from 1"),
        (("--respondents", "-3"), "respondents must be an integer from 1"),
        (("--respondents", "nan"), "not a whole number"),
        (("--repeats", "0"), "repeats must be an integer from 1"),
        (("--seed", "-1"), "seed must be an integer from 0"),
        (("--confidence", "1"), "confidence must be between 0 and 1"),
        (("--kind", "essay"), "'essay' is not one of"),
        (("survey.yaml",), "give either a SURVEY, or --kind with --epsilon"),
        (("--kind", "one-of"), "--kind one-of needs --options"),
        (("--kind", "one-of", "--options", "1"), "--options must be from 2 to 20,000, got 1"),
        (
            ("--kind", "one-of", "--options", "3", "--at-most", "2"),
            "--at-most does not apply to --kind",
        ),
        (("--options", "3"), "--options does not apply to --kind yes-no"),
        (("--kind", "any-of", "--options", "3", "--at-most", "4"), "at_most must be from 1 to"),
        (("--kind", "scale", "--lo", "5", "--hi", "1"), "hi must be above lo"),
        (("--kind", "scale", "--lo", "1"), "--kind scale needs --hi"),
        (("--kind", "number", "--lo", "0", "--hi", "9", "--step", "2"), "step must divide the"),
        (
            ("--kind", "number", "--lo", "0", "--hi", "9", "--goal", "shares"),
            "goal must be mean or",
        ),
    ],
)
def test_input_that_makes_no_sense_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    sound = ("--kind", "yes-no", "--epsilon", "1", "--respondents", "10", "--repeats", "2")
    assert reason in complaint("simulate", *sound, *arguments)


def test_a_survey_or_a_kind_must_be_given() -> None:
    assert "give either a SURVEY" in complaint("simulate", "--respondents", "10")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--epsilon", "1"), "--epsilon is for --kind; --epsilons tries a SURVEY at other totals"),
        (("--at-most", "3"), "--at-most is for --kind"),
        (("--options", "0"), "--options is for --kind"),
    ],
)
def test_what_describes_a_question_is_not_for_a_survey(
    tmp_path: Path, arguments: tuple[str, str], reason: str
) -> None:
    command = ("simulate", survey_file(tmp_path), "--respondents", "10", *arguments)
    assert complaint(*command).strip().endswith(reason)


def test_reports_that_a_device_would_send_can_be_estimated(tmp_path: Path) -> None:
    path = survey_file(tmp_path)
    lines = run("simulate", path, "--respondents", "2000", group=CLIENT).stdout
    survey = load_survey(path)
    assert len(lines.splitlines()) == 2000
    assert all(Report.parse(line.encode(), survey) for line in lines.splitlines())
    reports = tmp_path / "reports.jsonl"
    reports.write_text(lines)
    estimates = figures("estimate", reports, "--survey", path)["estimates"]
    # Five standard errors: a false alarm in about a million runs.
    assert all(abs(row["share"] - 0.5) < 5 * row["standard_error"] for row in estimates)


def test_a_device_draws_other_reports_every_time(tmp_path: Path) -> None:
    arguments = ("simulate", survey_file(tmp_path), "--respondents", "200")
    assert run(*arguments, group=CLIENT).stdout != run(*arguments, group=CLIENT).stdout
