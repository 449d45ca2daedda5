"""`import candor`: the names that users are promised, each explained, typed and fast to import."""

import doctest
import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import candor
from tests.support.process import ROOT

# Names may be added. Removing one breaks somebody's program.
PROMISED = {
    *("Data", "Refusal", "Report", "Survey", "Tally"),
    *("build_survey", "read", "read_document", "read_survey"),
    *("audit", "count", "count_file", "estimate", "plan", "respond", "simulate"),
}
ASKS_SOME: dict[str, Any] = {
    "slug": "some",
    "title": "Some",
    "ask_each_person": 2,
    "questions": [
        {"id": "drinks", "prompt": "Drinks?", "epsilon": "1"},
        {"id": "smokes", "prompt": "Smokes?", "epsilon": "1"},
        {
            "id": "colours",
            "kind": "any_of",
            "prompt": "Which?",
            "options": ["Red", "Green", "Blue"],
            "epsilon": "1",
        },
    ],
}


def test_the_names_are_those_that_were_promised() -> None:
    assert set(candor.__all__) == PROMISED
    assert candor.__all__ == sorted(candor.__all__)
    assert set(dir(candor)) == PROMISED | {"__version__"}


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_every_name_says_what_it_is(name: str) -> None:
    first, *_ = (inspect.getdoc(getattr(candor, name)) or "").split("\n")
    assert first.endswith((".", ":"))
    assert not first.startswith(f"{name}(")


def test_another_name_is_an_ordinary_mistake() -> None:
    with pytest.raises(AttributeError, match="no attribute 'estimates'"):
        getattr(candor, "estimates")  # noqa: B009


def test_the_examples_do_what_they_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    parts = {part.name: part for part in doctest.DocTestFinder().find(candor) if part.examples}
    assert set(parts) == {"candor"} | {
        f"candor.{name}" for name in PROMISED if inspect.getmodule(getattr(candor, name)) is candor
    }
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner()
    # The module's own examples come first: they make the survey that all others use.
    for part in sorted(parts.values(), key=lambda part: part.name):
        part.globs = names
        runner.run(part, clear_globs=False)
    assert runner.summarize().failed == 0


def test_importing_it_loads_nothing_heavy() -> None:
    program = "import candor, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert loaded & {"numpy", "scipy", "flask", "click", "yaml", "client.core.survey"} == set()


def test_type_checkers_know_the_names(tmp_path: Path) -> None:
    source = tmp_path / "user.py"
    source.write_text(
        "import candor\n"
        "survey = candor.read_survey('survey.yaml')\n"
        "reveal_type(survey)\n"
        "reveal_type(candor.respond(survey, {}))\n"
        "reveal_type(candor.count(survey, []))\n"
        "candor.estimates\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", str(source)],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    for wanted in (
        '"client.core.survey.Survey"',
        '"client.core.report.Report"',
        '"dict[str, estimators.counting.tally.Tally]"',
        'Module has no attribute "estimates"',
    ):
        assert wanted in done.stdout.replace("builtins.", "")


@pytest.mark.parametrize("ticket", [None, "0" * 32, "a ticket"])
def test_a_report_is_about_what_its_ticket_stands_for(ticket: str | None) -> None:
    survey = candor.build_survey(ASKS_SOME)
    answers = {"drinks": 0, "smokes": 1, "colours": [0, 2]}
    report = candor.respond(survey, answers, ticket)
    assert sum(answer is not None for answer in report.randomized.values()) == 2
    assert candor.Report.parse(report.body, survey) == report
    again = candor.respond(survey, answers, ticket)
    if ticket is not None:
        asked = [
            [id for id in answers if found.randomized[id] is not None] for found in (report, again)
        ]
        assert asked[0] == asked[1]


def test_an_answer_that_is_missing_is_named() -> None:
    survey = candor.build_survey({**ASKS_SOME, "ask_each_person": 0})
    with pytest.raises(candor.Refusal, match="one to the question 'smokes'"):
        candor.respond(survey, {"drinks": 0, "colours": []})


def test_a_question_that_is_hidden_needs_no_answer() -> None:
    hidden = {
        "id": "units",
        "prompt": "More than two?",
        "epsilon": "1",
        "show_if": {"question": "drinks", "is": "Yes"},
    }
    drinks = ASKS_SOME["questions"][0]
    survey = candor.build_survey({"slug": "a", "title": "A", "questions": [drinks, hidden]})
    assert set(candor.respond(survey, {"drinks": 0}).randomized) == {"drinks", "units"}
    with pytest.raises(candor.Refusal, match="units"):
        candor.respond(survey, {"drinks": 1})


def test_reports_to_another_survey_are_not_counted() -> None:
    survey = candor.build_survey(ASKS_SOME)
    other = candor.build_survey({**ASKS_SOME, "title": "Others"})
    with pytest.raises(candor.Refusal, match="must be one to this survey"):
        candor.count(survey, candor.simulate(other, 10, seed=1))


@pytest.mark.parametrize("shares", [{"smoke": [0.5, 0.5]}, {"smokes": [0.5]}, {"smokes": [1, 1]}])
def test_shares_that_make_no_sense_are_refused(shares: dict[str, list[float]]) -> None:
    with pytest.raises(candor.Refusal, match="smoke"):
        candor.simulate(candor.build_survey(ASKS_SOME), 10, shares, seed=1)


@pytest.mark.parametrize("wanted", [{}, {"margin": 0.1, "respondents": 100}])
def test_a_plan_needs_one_of_its_two_ends(wanted: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="either margin or respondents"):
        candor.plan(candor.build_survey(ASKS_SOME), **wanted)
