"""Conditions of a survey file: several of them, numbers, and the same rule in a workbook."""

from typing import Any

import pytest

from client.authoring.draft.from_survey import redraft
from client.authoring.draft.survey import build_survey
from client.authoring.files import parse_survey_file
from client.authoring.xlsform.relevant import read_relevant, write_relevant
from client.authoring.xlsform.workbook import write_workbook
from client.core.conditions import ANY, Condition, ShowIf
from client.core.primitives.refusal import Refusal
from tests.support.workbooks import YES_NO, faults, read

SMOKES: dict[str, Any] = {"id": "smokes", "prompt": "Do you smoke?"}
HOURS = {"id": "hours", "kind": "number", "prompt": "Hours?", "lo": "0", "hi": "5", "step": "0.5"}
MOOD = {"id": "mood", "kind": "scale", "prompt": "Mood?", "lo": "1", "hi": "5"}
LATE: dict[str, Any] = {"question": "hours", "from": "2.5"}


def draft(rule: Any) -> dict[str, Any]:
    after = {"id": "after", "prompt": "And then?", "show_if": rule}
    questions = [SMOKES, HOURS, MOOD, after]
    return {"slug": "s", "title": "T", "epsilon": "1", "questions": questions}


def rule_of(rule: Any) -> ShowIf | None:
    return build_survey(draft(rule)).questions[-1].show_if


def test_numbers_are_named_in_their_own_unit() -> None:
    assert rule_of(LATE) == ShowIf((Condition("hours", levels=(5, 10)),))
    assert rule_of({"question": "hours", "to": 0}) == ShowIf((Condition("hours", levels=(0, 0)),))
    # A scale whose shares are estimated has options, and its numbers are their names.
    low = {"question": "mood", "to": "2"}
    assert rule_of(low) == ShowIf((Condition("mood", (0, 1)),))


def test_several_conditions_are_joined() -> None:
    rule = rule_of({"any": [{"question": "smokes", "is": "Yes"}, LATE]})
    assert rule == ShowIf((Condition("smokes", (1,)), Condition("hours", levels=(5, 10))), ANY)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"all": [LATE]}, "must join from 2 to 10 conditions"),
        ({"all": [LATE, LATE], "any": [LATE, LATE]}, "'all'"),
        ({"question": "smokes", "from": "1"}, "the answers to smokes are no numbers"),
        ({"question": "hours", "from": "0.3"}, "0.3 is not one of the numbers from 0 to 5"),
        ({"question": "hours", "from": "6"}, "6 is not one of the numbers from 0 to 5"),
        ({"question": "hours", "from": "3", "to": "1"}, "must not be greater"),
        ({"question": "hours", "is": ["3"]}, "hours has no option '3'"),
        ({"question": "hours", "from": "1", "is": ["3"]}, "'is'"),
        ({"all": [LATE, {"question": "nobody", "from": "1"}]}, "not an earlier question"),
    ],
)
def test_a_bad_condition_is_refused_with_its_reason(rule: Any, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        build_survey(draft(rule))
    assert reason in caught.value.message


@pytest.mark.parametrize(
    "rule",
    [
        LATE,
        {"all": [{"question": "smokes", "is": ["Yes"]}, LATE]},
        {"any": [{"question": "mood", "is": ["1", "5"]}, {"question": "hours", "to": "1"}]},
    ],
)
def test_a_rule_survives_publishing_and_a_workbook(rule: Any) -> None:
    survey = build_survey(draft(rule))
    assert build_survey(redraft(survey)).document == survey.document
    again = parse_survey_file(write_workbook(redraft(survey)), "form.xlsx").build()
    assert again.questions[-1].show_if == survey.questions[-1].show_if


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("${a} = 'x'", "${a} = 'x'"),
        ("${a} = 'x' or selected(${a}, 'y')", "${a} = 'x' or ${a} = 'y'"),
        ("((${a} = 'x') and (${n} > 3))", "(${a} = 'x') and (${n} > 3)"),
        ("${n} >= 1 and ${n} < 4", "${n} >= 1 and ${n} < 4"),
        ("${a} = ' and ' or ${b} = 'y'", "(${a} = ' and ') or (${b} = 'y')"),
        ("${a} = 'x' and (${b} = 'y' or ${c} = 'z')", None),
        ("${a} = 'x' or ${b} = 'y' and ${c} = 'z'", None),
        ("not(${a} = 'x')", None),
        ("(${a} = 'x'", None),
        ("", None),
    ],
)
def test_an_expression_is_read_as_xpath_means_it(text: str, written: str | None) -> None:
    found = read_relevant(text)
    assert (None if found is None else write_relevant(found)) == written


def test_a_workbook_of_others_compares_numbers() -> None:
    headings = ["type", "name", "label", "relevant", "constraint"]
    file = read(
        [
            headings,
            ["integer", "cups", "Cups?", "", ". >= 0 and . <= 10"],
            ["select_one yn", "late", "Late?", "${cups} > 2 and ${cups} < 9", ""],
        ],
        YES_NO,
    )
    assert faults(file) == []
    rule = file.build().questions[1].show_if
    assert rule == ShowIf((Condition("cups", levels=(3, 8)),))
