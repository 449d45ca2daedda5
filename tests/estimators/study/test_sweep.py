"""Grids of simulated surveys, other ways to print them, and stopping early."""

import csv
import io
import json
import math
import signal
from pathlib import Path
from typing import Any

import pytest

from client.console.progress import Bar
from tests.estimators.commands.test_simulate import timeless
from tests.support.figures import complaint, figures, run, survey_file

QUESTION = ("simulate", "--kind", "one-of", "--options", "4", "--zipf", "1", "--seed", "1")
GRID = (*QUESTION, "--epsilons", "0.5,2", "--respondents", "1e3,1e4", "--repeats", "20")


def cells(*arguments: object) -> list[dict[str, Any]]:
    return [timeless(cell) for cell in figures(*arguments)["cells"]]


def test_a_grid_has_a_cell_for_every_epsilon_and_number_of_respondents() -> None:
    found = [(cell["epsilon"], cell["respondents"]) for cell in cells(*GRID)]
    assert found == [("0.5", 1000), ("0.5", 10_000), ("2", 1000), ("2", 10_000)]


def test_errors_fall_with_respondents_and_with_epsilon() -> None:
    """Each is compared with the exact promise; 20 samples estimate it to within a third."""
    errors = []
    for cell in cells(*GRID):
        (question,) = cell["questions"]
        errors.append(question["options"][0]["promised_error"])
        assert question["options"][0]["rmse"] == pytest.approx(errors[-1], rel=0.6)
    assert errors[1] == pytest.approx(errors[0] / 10**0.5)
    assert errors[2] < errors[0] / 3


def test_cells_do_not_share_their_chance() -> None:
    twice = (*QUESTION, "--epsilons", "1,1", "--respondents", "1000", "--repeats", "5")
    first, second = cells(*twice)
    assert first["questions"] != second["questions"]


def test_the_number_of_threads_never_changes_a_result() -> None:
    assert cells(*GRID, "--jobs", 1) == cells(*GRID, "--jobs", 3)


def test_a_survey_of_several_questions_is_swept_by_its_total(tmp_path: Path) -> None:
    size = ("--epsilons", "0.75,3", "--respondents", "100", "--repeats", "2")
    first, second = cells("simulate", survey_file(tmp_path), *size)
    assert [question["epsilon"] for question in first["questions"]] == ["0.5", "0.25"]
    assert [question["epsilon"] for question in second["questions"]] == ["2", "1"]


def test_the_table_of_a_grid_has_a_line_for_every_cell() -> None:
    lines = [line for line in run(*GRID).stdout.splitlines() if line.startswith(" one_of")]
    assert [line.split()[1:3] for line in lines] == [
        ["0.5", "1,000"],
        ["0.5", "10,000"],
        ["2", "1,000"],
        ["2", "10,000"],
    ]


def test_tiny_errors_are_shown_with_digits_that_tell_something() -> None:
    size = ("--epsilon", "1", "--respondents", "1e3,1e11", "--repeats", "2")
    small, large = (line for line in run(*QUESTION, *size).stdout.splitlines() if " one_of" in line)
    promised = [float(line.split()[4].rstrip("%")) for line in (small, large)]
    # A hundred million times as many respondents give an error ten thousand times as small.
    assert promised[1] == pytest.approx(promised[0] / 10_000, rel=0.005)


def test_csv_has_a_row_for_every_figure() -> None:
    rows = list(csv.DictReader(io.StringIO(run(*GRID, "--csv").stdout)))
    assert len(rows) == 4 * 4
    options = [option for cell in cells(*GRID) for option in cell["questions"][0]["options"]]
    assert [float(row["rmse"]) for row in rows] == [option["rmse"] for option in options]
    assert {row["total_epsilon"] for row in rows} == {"0.5", "2"}


def test_a_curator_is_more_exact_and_needs_fewer_respondents() -> None:
    yes_no = ("simulate", "--kind", "yes-no", "--epsilon", "1", "--respondents", "1e4")
    answer = figures(*yes_no, "--repeats", 2, "--shares", "0.5,0.5")
    yes = answer["questions"][0]["options"][1]
    # One count: noise variance 2q/(1-q)^2 / n^2, q = 1/e, beside sampling variance 1 / (4 n).
    noise = 2 * math.e / (math.e - 1) ** 2
    assert yes["curator_error"] == pytest.approx((noise * 1e-8 + 0.25e-4) ** 0.5)
    n = yes["curator_respondents"]
    assert (noise / n**2 + 0.25 / n) ** 0.5 == pytest.approx(yes["promised_error"])
    assert "a trusted curator would get this error from about" in run(*yes_no).stdout


def test_dependence_and_engine_are_used_and_printed(tmp_path: Path) -> None:
    size = ("--respondents", "100", "--repeats", "2", "--dependence", "0.5")
    answer = figures("simulate", survey_file(tmp_path), *size, "--engine", "respondents")
    assert (answer["engine"], answer["engine_reason"]) == ("respondents", "as asked for")
    assert "engine respondents (as asked for)" in run(*QUESTION, *EPSILON, *ENGINE).stdout


EPSILON = ("--epsilon", "1", "--respondents", "10", "--repeats", "2")
ENGINE = ("--engine", "respondents")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--epsilons", "0.5,,1"), "epsilon must be a plain decimal such as 0.5"),
        (("--epsilons", "0.5,nan"), "epsilon must be a plain decimal such as 0.5"),
        (("--epsilon", "1", "--epsilons", "1"), "--kind needs either --epsilon or --epsilons"),
        (("--epsilon", "1", "--respondents", "1e3,-5"), "respondents must be an integer from 1"),
        (("--epsilon", "1", "--respondents", "inf"), "'inf' is not a whole number"),
        (("--epsilon", "1", "--zipf", "nan"), "zipf must be a finite number"),
        (("--epsilon", "1", "--zipf", "-1"), "zipf must be a finite number"),
        (("--epsilon", "1", "--dependence", "2"), "dependence must be"),
        (("--epsilon", "1", "--engine", "magic"), "'magic' is not"),
        (("--epsilon", "1", "--jobs", "0"), "jobs must be an integer of at least 1"),
    ],
)
def test_input_that_makes_no_sense_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in complaint(*QUESTION, "--respondents", "10", *arguments)


def test_a_number_of_respondents_is_needed() -> None:
    assert "give --respondents" in complaint(*QUESTION, "--epsilon", "1")


def interrupt_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C after this many steps of the progress bar."""
    done: list[int] = []

    def advance(self: Bar, count: int) -> None:
        done.append(count)
        if len(done) == steps:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Bar, "advance", advance)


@pytest.mark.parametrize("engine", ["respondents", "aggregate"])
def test_ctrl_c_prints_what_is_done_so_far(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(40, monkeypatch)
    result = run(*ENDLESS, "--respondents", "1000", "--engine", engine, "--json")
    assert result.exit_code == 130
    assert result.stderr == "Stopped early: these are the samples that were finished.\n"
    answer = json.loads(result.stdout)
    assert 30 <= answer["repeats"] <= 40
    first = answer["questions"][0]["options"][0]
    assert abs(first["bias"]) < 5 * first["bias_error"]


def test_ctrl_c_in_a_grid_keeps_the_cells_that_were_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(30, monkeypatch)
    result = run(*GRID, "--json")
    assert result.exit_code == 130
    first, *others = json.loads(result.stdout)["cells"]
    assert first["repeats"] == 20
    assert len(others) < 3


def test_ctrl_c_before_the_first_sample_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(1, monkeypatch)
    result = run(*ENDLESS, "--respondents", "1e9", "--engine", "respondents")
    assert (result.exit_code, result.stdout) == (130, "")
    assert "no sample was finished." in result.stderr


ENDLESS = (*QUESTION, "--epsilon", "1", "--repeats", "1e6")
