"""`candor lint`: all faults at once, warnings with their places, and exit codes for scripts."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from client.authoring.files import parse_survey_file
from client.authoring.lint import lint_bytes
from client.core.primitives.refusal import Refusal
from estimators.planning.lint import lint
from server.cli import main
from tests.client.authoring.test_schema import drafts
from tests.support.figures import run
from tests.support.surveys import EVERY_KIND
from tests.support.workbooks import workbook

FAULTY = """\
slug: Bad Slug
title: ""
epsilon: 1
colour: red
questions:
  - id: a
    prompt: A?
    epsilon: much
    optons: [x, y]
  - id: b
    kind: essay
    prompt: B?
  - id: c
    kind: number
    prompt: C?
    hi: 5
    step: 2
  - id: d
    prompt: D?
    show_if: {question: nobody, is: Yes}
  - id: e
    kind: one_of
    prompt: ""
    options: [only]
  - id: f
    kind: number
    prompt: F?
    lo: 0
    hi: 5
    step: 2
"""
DECLINE = {"decline": "true"}


def problems(
    text: str | bytes, name: str = "a.yaml", n: int | None = None
) -> list[tuple[str, str]]:
    data = text.encode() if isinstance(text, str) else text
    return [(problem.code, problem.place) for problem in lint(data, name, n)]


def draft(*questions: dict[str, Any], **fields: Any) -> str:
    asked = [{"id": f"q{i}", "prompt": "?", **DECLINE, **q} for i, q in enumerate(questions)]
    whole = {"slug": "s", "title": "S", "epsilon": "1", "delete_on": "2999-12-31", **fields}
    given = {name: value for name, value in whole.items() if value is not None}
    return json.dumps({**given, "questions": asked})


def test_every_fault_of_a_file_is_reported_with_its_line() -> None:
    assert problems(FAULTY) == [
        ("bad_slug", "slug (line 1)"),
        ("empty_text", "title (line 2)"),
        ("unknown_field", "colour (line 4)"),
        ("epsilon_not_a_decimal", "questions[0].epsilon (line 8)"),
        ("unknown_field", "questions[0].optons (line 9)"),
        ("unknown_kind", "questions[1].kind (line 11)"),
        ("missing_field", "questions[2] (line 13)"),
        ("bad_show_if", "questions[3].show_if (line 20)"),
        ("bad_options", "questions[4].options (line 24)"),
        ("empty_text", "questions[4].prompt (line 23)"),
        ("bad_number", "questions[5].step (line 30)"),
    ]


def test_every_missing_translation_is_reported() -> None:
    both = {"en": "Well?", "de": "Nun?"}
    text = draft({"prompt": both}, {}, {"kind": "one_of", "options": [both, "x"]}, title="T")
    found = [code for code, _ in problems(text)]
    assert found == ["missing_language"] * 4


def test_a_question_that_hangs_on_a_faulty_one_is_not_blamed() -> None:
    rule = {"show_if": {"question": "q0", "is": ["b"]}}
    text = draft({"kind": "one_of", "options": ["a", "a", "b"]}, rule)
    assert [code for code, _ in problems(text)] == ["bad_options"]


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (draft({"weight": "much"}, epsilon=None, total_epsilon="1"), "questions[0].weight"),
        (draft({}, {"show_if": {"question": "q0"}}), "questions[1].show_if"),
        (draft({}, {"show_if": {"question": "q0", "is": []}}), "questions[1].show_if"),
        (
            draft({}, {"show_if": {"question": "q0", "is": "Yes"}, "not_applicable": "no"}),
            "questions[1].not_applicable",
        ),
        (draft({}, {"id": "q0"}), "questions[0].id"),
        (
            draft({"prompt": {"en": "?", "de": ""}}, title={"en": "T", "de": "T"}),
            "questions[0].prompt",
        ),
        # An unreadable epsilon of the survey does not mean that the questions lack one.
        (draft({}, {}, epsilon=None, total_epsilon="much"), "total_epsilon"),
        (draft({}, {}, epsilon="11"), "epsilon"),
    ],
    ids=lambda value: value if len(value) < 30 else "draft",
)
def test_a_fault_stands_at_its_field_and_nowhere_else(text: str, field: str) -> None:
    (found,) = lint(text.encode(), "a.json")
    assert (found.severity, found.field) == ("error", field)


@pytest.mark.parametrize("text", ["a: [1", "", "- a", "PK\x03\x04"])
def test_a_file_that_cannot_be_read_is_one_fault(text: str) -> None:
    ((_, place),) = problems(text)
    assert place == "a.yaml"


def test_faults_of_a_workbook_are_reported_with_those_of_the_survey() -> None:
    data = workbook(
        [
            ["type", "name", "label", "epsilon"],
            ["text", "a", "A?", 1],
            ["select_one yn", "b", "B?", 99],
            ["select_one yn", "c", None, 1],
        ]
    )
    assert problems(data, "a.xlsx") == [
        ("epsilon_out_of_range", "survey, row 3, column epsilon"),
        ("cannot_be_randomized", "survey, row 2, column type"),
        ("changed", "survey, row 4, column label"),
    ]


def test_a_sound_survey_has_no_problems() -> None:
    assert problems(draft({})) == []
    assert problems(draft({}), n=1_000_000) == []


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (draft({"epsilon": "5"}), "weak_budget", "line 1"),
        (draft({}, delete_on=""), "no_delete_on", "delete_on (line 1)"),
        (draft({}, slug="s" * 41), "long_slug", "slug (line 1)"),
        (draft({"decline": "false"}), "no_decline", "questions[0].decline (line 1)"),
        (
            draft({"kind": "number", "lo": "0", "hi": "9", "decline": "no"}),
            "no_decline",
            "questions[0].decline (line 1)",
        ),
        (draft({"prompt": "?" * 301}), "long_prompt", "questions[0].prompt (line 1)"),
        (
            draft({"kind": "one_of", "options": ["Cafe", "Café", "Tea"]}),
            "alike",
            "questions[0].options (line 1)",
        ),
        (
            draft({"options": ["Ne", "Jes"], "decline": "Silentu"}, language="eo"),
            "page_in_another_language",
            "language (line 1)",
        ),
    ],
    ids=lambda value: value if len(value) < 30 else "draft",
)
def test_what_is_unwise_is_a_warning_with_its_place(text: str, code: str, place: str) -> None:
    (found,) = lint(text.encode(), "a.yaml")
    assert (found.severity, found.code, found.place) == ("warning", code, place)


def test_numbers_that_differ_in_their_sign_do_not_look_alike() -> None:
    assert problems(draft({"kind": "scale", "lo": "-3", "hi": "3"})) == []


def test_too_few_respondents_are_one_warning_with_all_that_helps() -> None:
    (found,) = lint(draft({}, {}, {}, epsilon=None, total_epsilon="2").encode(), "a.yaml", 1000)
    assert (found.code, found.field) == ("imprecise", "")
    assert found.message == (
        "1,000 respondents are too few for margins of 10% in 3 of 3 questions; what helps: "
        "1,560 respondents; or a total epsilon of 2.5 (moderate protection); or ask_each_person: 1"
    )


@pytest.mark.parametrize(
    ("fields", "n", "is_enough"),
    [
        ({}, 1560, True),
        ({}, 1559, False),
        ({"total_epsilon": "2.5"}, 1000, True),
        ({"total_epsilon": "2.4"}, 1000, False),
        ({"ask_each_person": 1}, 1000, True),
    ],
)
def test_what_is_said_to_help_helps(fields: dict[str, Any], n: int, is_enough: bool) -> None:
    text = draft({}, {}, {}, **{"epsilon": None, "total_epsilon": "2", **fields})
    assert (lint(text.encode(), "a.yaml", n) == ()) is is_enough


def test_nobody_is_led_to_weak_protection() -> None:
    (found,) = lint(draft({}, {}, epsilon="2").encode(), "a.yaml", 50)
    assert "total epsilon" not in found.message
    (found,) = lint(draft({}, {}, epsilon="1").encode(), "a.yaml", 50)
    assert "a total epsilon of 4 (moderate protection) and " in found.message


def test_what_has_no_effect_in_a_workbook_is_a_warning() -> None:
    data = workbook(
        [
            ["type", "name", "label", "appearance", "decline"],
            ["select_one yn", "q", "Q?", "quick", True],
        ],
        settings=[["form_title", "form_id", "epsilon", "delete_on"], ["T", "t", 1, "2999-12-31"]],
    )
    assert problems(data, "a.xlsx") == [("no_effect", "survey, row 2, column appearance")]


def test_the_command_prints_all_and_says_by_its_exit_code_whether_it_can_be_published(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(FAULTY)
    result = run("lint", path, group=main)
    assert result.exit_code == 2
    assert result.output.splitlines()[0].startswith("error    ")
    assert result.output.endswith("a.yaml: 11 errors, 0 warnings\n")
    path.write_text(draft({}, delete_on=""))
    result = run("lint", path, "--respondents", "10", "--json", group=main)
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert (found["errors"], found["warnings"]) == (0, 2)
    assert set(found["problems"][0]) == {"severity", "code", "place", "field", "message"}
    result = run("lint", path, group=main)
    assert result.output.endswith("a.yaml: 0 errors, 1 warning\n")


@settings(max_examples=300, deadline=None)
@given(drafts())
def test_lint_finds_a_fault_exactly_where_the_reader_does(draft: dict[str, Any]) -> None:
    data = json.dumps(draft).encode()
    try:
        parse_survey_file(data, "a.json").build()
    except Refusal as refusal:
        codes = [p.code for p in lint_bytes(data, "a.json").problems if p.severity == "error"]
        assert refusal.code in codes  # noqa: PT017
    else:
        result = lint_bytes(data, "a.json")
        assert result.survey is not None
        assert all(problem.severity == "warning" for problem in result.problems)


def test_every_kind_can_be_linted() -> None:
    found = lint(json.dumps(EVERY_KIND).encode(), "a.json", 100)
    assert {problem.severity for problem in found} == {"warning"}
