"""The interview in a terminal: every kind of question, odd input, skip logic, the review."""

import json
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from client.authoring.draft.survey import build_survey
from client.core.assignment import Assignment, draw_assignment
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from client.core.respond import respond
from client.core.survey import Survey
from client.terminal.interview import Interview
from client.terminal.prompts import ask, find
from client.wording.catalogue import ENGLISH
from tests.vectors.tapes import Tape

COLOURS = ["red", "green", "blue"]


def survey_of(*questions: dict[str, Any], **fields: Any) -> Survey:
    asked = [{"prompt": f"About {question['id']}?", **question} for question in questions]
    draft = {"slug": "s", "title": "A survey", "epsilon": "1", "questions": asked, **fields}
    return build_survey(draft)


def question(**fields: Any) -> Question:
    return survey_of({"id": "q", **fields}).questions[0]


def invoke(function: Any, typed: str) -> tuple[Any, Result]:
    """Run a function as a terminal would; return its result and the output."""
    found: list[Any] = []
    command = click.command()(lambda: found.append(function()))
    result = CliRunner().invoke(command, [], input=typed)
    return (found[0] if found else None), result


def answer(typed: str, **fields: Any) -> Any:
    found, result = invoke(lambda: ask(question(**fields), ENGLISH), typed)
    assert result.exit_code == 0, result.output
    return found


@pytest.mark.parametrize(
    ("fields", "typed", "expected"),
    [
        ({}, "1", 0),
        ({}, "yes", 1),
        ({}, " Yes ", 1),
        ({"decline": "true"}, "prefer NOT to say", 2),
        ({"kind": "one_of", "options": COLOURS}, "blue", 2),
        ({"kind": "one_of", "options": COLOURS}, "2", 1),
        ({"kind": "one_of", "options": ["3", "2", "1"]}, "3", 0),
        ({"kind": "one_of", "options": [f"n{i}" for i in range(5000)]}, "n4711", 4711),
        ({"kind": "any_of", "options": COLOURS}, "blue, 1", [0, 2]),
        ({"kind": "any_of", "options": COLOURS}, "1,1,red", [0]),
        ({"kind": "any_of", "options": COLOURS}, "", []),
        ({"kind": "any_of", "options": COLOURS}, " , ", []),
        ({"kind": "scale", "lo": "0", "hi": "10"}, "7", 7),
        ({"kind": "scale", "lo": "1", "hi": "5"}, "5", 4),
        ({"kind": "scale", "lo": "1", "hi": "5", "decline": "Pass"}, "pass", 5),
        ({"kind": "scale", "lo": "-3", "hi": "3", "goal": "mean"}, "-3", 0),
        ({"kind": "scale", "lo": "-3", "hi": "3", "goal": "mean"}, "2", 5),
        ({"kind": "number", "lo": "0", "hi": "60"}, "60", 60),
        ({"kind": "number", "lo": "-0.5", "hi": "2", "step": "0.5"}, "1.5", 4),
        ({"kind": "number", "lo": "-0.5", "hi": "2", "step": "0.5"}, "1.50", 4),
        ({"kind": "cross", "row_prompt": "R?", "column_prompt": "C?"}, "yes\nno", 2),
        ({"kind": "cross", "row_prompt": "R?", "column_prompt": "C?"}, "1\n2", 1),
        (
            {"kind": "cross", "row_prompt": "R?", "column_prompt": "C?", "decline": "Pass"},
            "pass",
            4,
        ),
    ],
)
def test_an_answer_is_typed_by_its_label_its_number_or_its_value(
    fields: dict[str, Any], typed: str, expected: object
) -> None:
    assert answer(f"{typed}\n", **fields) == expected


@pytest.mark.parametrize(
    ("fields", "typed", "reason"),
    [
        ({}, "maybe", "There is no option “maybe”. Please type a label, or a number from 1 to 2."),
        ({}, "", "There is no option “”"),
        ({}, "0", "There is no option “0”"),
        ({}, "3", "There is no option “3”"),
        ({}, "-1", "There is no option “-1”"),
        ({}, "²", "There is no option “²”"),
        ({}, "9" * 5000, "There is no option “99999"),
        ({"kind": "any_of", "options": COLOURS}, "red, mauve", "There is no option “mauve”"),
        (
            {"kind": "any_of", "options": COLOURS, "at_most": "1"},
            "red, blue",
            "You ticked 2, and at most 1 can be counted. Please take away 1.",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60"},
            "61",
            "Please type a whole number from 0 to 60.",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60"},
            "-1",
            "Please type a whole number from 0 to 60.",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60"},
            "1.5",
            "Please type a whole number, such as 1 or 2.",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60"},
            "many",
            "Please type a whole number from 0 to 60, in digits.",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60"},
            "",
            "Please type a whole number from 0 to 60, in digits.",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60"},
            "nan",
            "Please type a whole number from 0 to 60, in digits.",
        ),
        (
            {"kind": "scale", "lo": "0", "hi": "5", "goal": "mean"},
            "6",
            "Please type a whole number from 0 to 5.",
        ),
    ],
)
def test_what_is_no_answer_is_asked_again_with_a_sentence_that_helps(
    fields: dict[str, Any], typed: str, reason: str
) -> None:
    found, result = invoke(lambda: ask(question(**fields), ENGLISH), f"{typed}\n1\n")
    assert reason in result.output
    assert found in (0, 1, [0])


def test_an_interview_that_breaks_off_gives_no_answer() -> None:
    found, result = invoke(lambda: ask(question(), ENGLISH), "maybe\n")
    assert found is None
    assert result.exit_code == 1


def test_a_short_list_is_printed_and_a_long_one_is_not() -> None:
    _, short = invoke(lambda: ask(question(kind="one_of", options=COLOURS), ENGLISH), "1\n")
    assert "  2  green" in short.output
    long = [f"n{i}" for i in range(31)]
    _, unlisted = invoke(lambda: ask(question(kind="one_of", options=long), ENGLISH), "n3\n")
    assert "n30" not in unlisted.output


def test_a_range_and_its_ends_are_shown() -> None:
    fields = {"kind": "number", "lo": "0", "hi": "60", "unit": "drinks"}
    _, number = invoke(lambda: ask(question(**fields), ENGLISH), "1\n")
    assert "(0 … 60 drinks)" in number.output
    ends = {"kind": "scale", "lo": "0", "hi": "10", "lo_label": "none", "hi_label": "full"}
    _, scale = invoke(lambda: ask(question(**ends, goal="mean"), ENGLISH), "1\n")
    assert "0 = none, 10 = full" in scale.output
    assert "(0 … 10)" in scale.output


def test_an_option_is_found_by_its_label_before_its_number() -> None:
    assert find("2", ["5", "2", "9"], ENGLISH) == 1
    assert find("3", ["5", "2", "9"], ENGLISH) == 2
    assert find("STRASSE", ["weg", "straße"], ENGLISH) == 1
    with pytest.raises(Refusal, match="from 1 to 3"):
        find("4", ["5", "2", "9"], ENGLISH)


SKIPPING = survey_of(
    {"id": "smokes"},
    {
        "id": "brand",
        "kind": "one_of",
        "options": COLOURS,
        "show_if": {"question": "smokes", "is": "Yes"},
    },
    {
        "id": "why",
        "kind": "any_of",
        "options": COLOURS,
        "show_if": {"question": "brand", "is": "red"},
    },
    {"id": "age", "kind": "number", "lo": "0", "hi": "99", "unit": "years"},
)


def all_of(survey: Survey) -> Assignment:
    return draw_assignment(survey, "ticket")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("no\n30\n", {"smokes": 0, "brand": 3, "why": [3], "age": 30}),
        ("yes\nblue\n30\n", {"smokes": 1, "brand": 2, "why": [3], "age": 30}),
        ("yes\nred\n1,2\n30\n", {"smokes": 1, "brand": 0, "why": [0, 1], "age": 30}),
    ],
)
def test_hidden_questions_are_not_asked_and_answer_that_they_do_not_apply(
    typed: str, expected: dict[str, Any]
) -> None:
    answers, result = invoke(lambda: Interview.of(SKIPPING).ask_all(all_of(SKIPPING)), typed)
    assert answers == expected
    assert ("About brand?" in result.output) == (expected["smokes"] == 1)
    assert ("About why?" in result.output) == (expected["brand"] == 0)


def test_only_the_questions_that_were_drawn_are_asked() -> None:
    survey = survey_of(*({"id": id} for id in "abc"), ask_each_person="2")
    answers, result = invoke(
        lambda: Interview.of(survey).ask_all(Assignment(("a", "c"), {})), "1\n2\n"
    )
    assert answers == {"a": 0, "c": 1}
    assert "About b?" not in result.output
    assert "Question 2 of 2" in result.output


def test_the_review_says_what_was_chosen_and_what_will_be_sent() -> None:
    answers = {"smokes": 1, "brand": 2, "why": [3], "age": 30}
    assignment = all_of(SKIPPING)
    report = respond(SKIPPING, assignment, answers, Tape([0] * 20))
    _, result = invoke(lambda: Interview.of(SKIPPING).review(answers, report, ""), "")
    assert "You chose: Yes" in result.output
    assert "You chose: blue" in result.output
    assert "You chose: 30 years" in result.output
    assert "at least 1 years: yes" in result.output
    assert "About why?" not in result.output
    assert report.body.decode() in result.output
    assert json.loads(report.body)["randomized"]["why"] is not None


def test_the_explanation_counts_the_questions_that_one_person_is_asked() -> None:
    survey = survey_of(
        *({"id": id} for id in "abcd"),
        ask_each_person="2",
        organizer="A university",
        intro="Hello.",
    )
    _, result = invoke(lambda: Interview.of(survey).explain(), "")
    assert "All 2 answers together" in result.output
    assert "Epsilon 2 for one person" in result.output
    assert "A university" in result.output
    assert "Hello." in result.output


CONSENTING = survey_of(
    {"id": "a", "heading": "At work", "hint": "In the last year."},
    {"id": "b", "heading": "At home", "show_if": {"question": "a", "is": "Yes"}},
    {"id": "c"},
    consent="# Before\n\n- **One** [more](https://example.org)",
    closing="Call *us*: [help](mailto:help@example.org)",
    contact="Ada",
    ethics_reference="Board 7",
)


@pytest.mark.parametrize(("typed", "agreed"), [("y\n", True), ("no\n", False), ("\n", False)])
def test_consent_is_asked_for_in_plain_words(typed: str, agreed: bool) -> None:
    found, result = invoke(lambda: Interview.of(CONSENTING).agree(), typed)
    assert found is agreed
    assert "\nBefore\n\n  • One more (https://example.org)\n" in result.output
    assert "Contact: Ada\nEthics review: Board 7\n" in result.output
    assert "neither sent nor stored" in result.output
    assert "Do you agree? [y/n]" in result.output


def test_nobody_has_to_agree_to_nothing() -> None:
    found, result = invoke(lambda: Interview.of(SKIPPING).agree(), "")
    assert (found, result.output) == (True, "")


def test_the_closing_text_has_its_addresses() -> None:
    _, result = invoke(lambda: Interview.of(CONSENTING).print_closing(), "")
    assert "Call us: help (help@example.org)" in result.output


def test_a_hint_stands_below_its_question_and_a_heading_above_its_section() -> None:
    _, result = invoke(lambda: Interview.of(CONSENTING).ask_all(all_of(CONSENTING)), "no\n1\n")
    assert "About a?\nIn the last year.\n" in result.output
    assert result.output.index("At work") < result.output.index("About a?")
    # The question that begins the section is not asked, but the section goes on.
    assert "About b?" not in result.output
    assert result.output.index("At home") < result.output.index("About c?")
    assert result.output.count("At home") == result.output.count("At work") == 1


def test_silence_goes_with_no_other_box() -> None:
    boxes = question(kind="any_of", options=COLOURS, decline="true")
    found, result = invoke(
        lambda: ask(boxes, ENGLISH), "red, prefer not to say\nPrefer not to say\n"
    )
    assert "goes with no other option" in result.output
    assert found == [3]


def test_a_number_is_declined_by_a_letter_which_every_prompt_names() -> None:
    """Whoever only sees the complaint must learn from it how to decline."""
    drinks = question(kind="number", lo="0", hi="40", decline="true", not_applicable="true")
    found, result = invoke(lambda: ask(drinks, ENGLISH), "many\n\nB\n")
    assert "  a  Prefer not to say\n  b  Does not apply\n" in result.output
    assert result.output.count("Your answer (0 … 40 / a / b): ") == 3
    assert found == 42
    assert invoke(lambda: ask(drinks, ENGLISH), "a\n")[0] == 41
    assert invoke(lambda: ask(drinks, ENGLISH), "prefer not to say\n")[0] == 41


def test_numerals_are_listed_without_numbers_beside_them() -> None:
    _, result = invoke(lambda: ask(question(kind="scale", lo="0", hi="5"), ENGLISH), "1\n")
    assert "  1  0" not in result.output
    assert "\n  0\n  1\n" in result.output
