"""Survey files of every kind: every field, the chosen mechanism, and every refusal."""

from decimal import Decimal
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.conditions import Condition, ShowIf
from client.core.document import read_document
from client.core.kinds import AnyOf, Cross, Number, OneOf, Scale, YesNo
from client.core.primitives.domain import Levels
from client.core.primitives.refusal import Refusal
from client.core.question import Question

FIRST = {"id": "first", "prompt": "First?", "options": ["No", "Yes", "Maybe"], "kind": "one_of"}


def build(*questions: dict[str, Any], **fields: Any) -> tuple[Question, ...]:
    draft = {"slug": "s", "title": "S", "epsilon": "1", "questions": list(questions), **fields}
    survey = build_survey(draft)
    # Whatever can be written can be read back.
    assert read_document(survey.document) == survey
    return survey.questions


def one(**fields: Any) -> Question:
    return build({"id": "q1", "prompt": "Question?", **fields})[0]


def refusal(*questions: dict[str, Any], **fields: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        build(*questions, **fields)
    return caught.value


def complaint(**fields: Any) -> tuple[str, str]:
    found = refusal({"id": "q1", "prompt": "Question?", **fields})
    return found.code, found.message


def test_a_question_without_a_kind_is_yes_no() -> None:
    assert one().kind == YesNo()
    assert one(options=["Nay", "Yea"]).kind == YesNo(options=("Nay", "Yea"))


@pytest.mark.parametrize("switch", ["true", "Yes", "ON", True])
def test_silence_can_be_switched_on_with_its_usual_label(switch: object) -> None:
    assert one(decline=switch).options == ("No", "Yes", "Prefer not to say")
    assert one(not_applicable=switch).options == ("No", "Yes", "Does not apply")


@pytest.mark.parametrize("switch", ["false", "No", "off", "", False])
def test_silence_can_be_switched_off(switch: object) -> None:
    assert one(decline=switch).options == ("No", "Yes")


def test_silence_can_have_a_label_of_its_own() -> None:
    assert one(decline="Rather not").options == ("No", "Yes", "Rather not")


def test_every_field_of_every_kind_is_read() -> None:
    options = ["a", "b", "c"]
    assert one(kind="one_of", options=options).kind == OneOf(options=("a", "b", "c"))
    assert one(kind="any_of", options=options, at_most="2").kind == AnyOf(
        options=("a", "b", "c"), at_most=2
    )
    assert one(kind="scale", lo="1", hi="5", lo_label="bad", hi_label="good").kind == Scale(
        lo=1, hi=5, lo_label="bad", hi_label="good"
    )
    assert one(kind="scale", lo="-3", hi="3", goal="mean").kind == Scale(lo=-3, hi=3, goal="mean")
    assert one(kind="number", lo="-0.5", hi="2", step="0.5", unit="h").kind == Number(
        lo=Decimal("-0.5"), hi=Decimal(2), step=Decimal("0.5"), unit="h"
    )
    assert one(kind="number", lo="0", hi="9", goal="distribution").kind == Number(
        lo=Decimal(0), hi=Decimal(9), step=Decimal(1), goal="distribution"
    )
    assert one(kind="cross", row_prompt="R?", column_prompt="C?", rows=options).kind == Cross(
        row_prompt="R?", rows=("a", "b", "c"), column_prompt="C?", columns=("No", "Yes")
    )


@pytest.mark.parametrize(
    ("fields", "mechanism"),
    [
        ({}, "rr"),
        ({"decline": "true"}, "ss"),
        ({"kind": "one_of", "options": list("abcde")}, "ss"),
        ({"kind": "one_of", "options": [str(i) for i in range(3000)]}, "hr"),
        ({"kind": "any_of", "options": list("abcde")}, "smp"),
        ({"kind": "any_of", "options": list("abcdef"), "at_most": "1"}, "privset"),
        ({"kind": "scale", "lo": "0", "hi": "10"}, "ss"),
        ({"kind": "scale", "lo": "0", "hi": "10", "goal": "mean"}, "rt"),
        ({"kind": "number", "lo": "0", "hi": "60"}, "rt"),
        ({"kind": "number", "lo": "0", "hi": "60", "epsilon": "2"}, "isw"),
        ({"kind": "number", "lo": "0", "hi": "60", "goal": "distribution"}, "isw"),
        ({"kind": "cross", "row_prompt": "R", "column_prompt": "C"}, "ss"),
    ],
)
def test_the_rule_chooses_the_mechanism(fields: dict[str, Any], mechanism: str) -> None:
    assert one(**fields).mechanism.name == mechanism


def test_the_author_may_choose_another_mechanism_that_fits() -> None:
    options = [str(i) for i in range(3000)]
    assert one(kind="one_of", options=options, mechanism="ss").mechanism.name == "ss"
    assert one(kind="number", lo="0", hi="9", mechanism="isw").mechanism.name == "isw"
    assert complaint(kind="number", lo="0", hi="9", mechanism="rr") == (
        "mechanism_does_not_fit",
        "q1: mechanism must be rt or isw, got 'rr'",
    )
    assert complaint(mechanism=["rr"])[0] == "mechanism_does_not_fit"


def test_a_longer_report_can_be_allowed() -> None:
    options = [str(i) for i in range(3000)]
    assert one(kind="one_of", options=options, max_bits="16384").mechanism.name == "ss"
    for bits in ("0", "-1", "262145"):
        code, message = complaint(max_bits=bits)
        assert (code, message) == (
            "bad_max_bits",
            f"q1: max_bits must be from 1 to 262144, got {bits}",
        )


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"kind": "essay"}, "unknown_kind", "q1: kind must be one of yes_no, one_of, any_of"),
        ({"kind": ["one_of"]}, "unknown_kind", "q1: kind must be one of"),
        ({"kind": "one_of"}, "missing_field", "q1 needs the field 'options'"),
        ({"kind": "one_of", "options": "a, b"}, "bad_options", "q1: options must be a list of"),
        ({"kind": "one_of", "options": ["a", "a"]}, "bad_options", "q1: options must be different"),
        ({"kind": "one_of", "options": ["a"]}, "bad_options", "q1: options must be a list of 2"),
        ({"kind": "one_of", "options": ["a", ["b"]]}, "not_text", "q1: options must be text"),
        (
            {"kind": "any_of", "options": list("ab"), "at_most": "3"},
            "bad_at_most",
            "q1: at_most must be from 1 to the number of options, 2, or 0 for all, got 3",
        ),
        (
            {"kind": "any_of", "options": list("ab"), "at_most": "two"},
            "not_an_integer",
            "q1: at_most must be a whole number, got 'two'",
        ),
        ({"kind": "scale", "hi": "5"}, "missing_field", "q1 needs the field 'lo'"),
        ({"kind": "scale", "lo": "1", "hi": "1.5"}, "not_an_integer", "q1: hi must be a whole"),
        ({"kind": "scale", "lo": 1, "hi": 5.5}, "not_an_integer", "q1: hi must be a whole number"),
        ({"kind": "scale", "lo": True, "hi": 5}, "not_an_integer", "q1: lo must be a whole number"),
        ({"kind": "scale", "lo": "1_0", "hi": "20"}, "not_an_integer", "q1: lo must be a whole"),
        ({"kind": "scale", "lo": "٣", "hi": "20"}, "not_an_integer", "q1: lo must be a whole"),
        ({"kind": "scale", "lo": "5", "hi": "1"}, "bad_scale", "q1: hi must be above lo"),
        ({"kind": "number", "lo": "0"}, "missing_field", "q1 needs the field 'hi'"),
        ({"kind": "number", "lo": "0", "hi": "1e2"}, "not_a_decimal", "q1: hi must be a plain"),
        ({"kind": "number", "lo": "0", "hi": 9}, "not_a_decimal", "q1: hi must be a plain decimal"),
        ({"kind": "number", "lo": "0", "hi": "5", "step": "2"}, "bad_number", "q1: step must div"),
        ({"kind": "number", "lo": "0", "hi": "5", "goal": "sum"}, "bad_goal", "q1: goal must be"),
        ({"kind": "cross", "rows": list("ab")}, "missing_field", "q1 needs the field 'row_prompt'"),
        (
            {
                "kind": "cross",
                "row_prompt": "R",
                "column_prompt": "C",
                "rows": list("abcdefghijklm"),
            },
            "bad_options",
            "q1: rows must be a list of 2 to 12 labels",
        ),
        ({"decline": ["a"]}, "not_text", "q1: decline must be text, got a list"),
        (
            {"at_most": "2"},
            "unknown_field",
            "q1 has the unknown field 'at_most'; the known fields are decline",
        ),
        ({"id": "Q 1"}, "bad_id", "Q 1: id must be lower-case letters"),
        ({"prompt": ""}, "empty_text", "q1: prompt must not be empty"),
    ],
)
def test_every_fault_is_named_with_its_question(
    fields: dict[str, Any], code: str, message: str
) -> None:
    found_code, found_message = complaint(**fields)
    assert found_code == code
    assert found_message.startswith(message)


def test_skip_logic_names_options_by_their_labels() -> None:
    follow_up = {"id": "q2", "prompt": "Then?", "show_if": {"question": "first", "is": "Yes"}}
    assert build(FIRST, follow_up)[1].show_if == ShowIf((Condition("first", (1,)),))
    several = follow_up | {"show_if": {"question": "first", "is": ["Maybe", "Yes"]}}
    assert build(FIRST, several)[1].show_if == ShowIf((Condition("first", (1, 2)),))


def test_a_question_that_can_be_hidden_gets_an_option_to_say_so() -> None:
    rule = {"question": "first", "is": "Yes"}
    assert build(FIRST, {"id": "q2", "prompt": "Then?", "show_if": rule})[1].options == (
        *("No", "Yes", "Does not apply"),
    )
    own = {"id": "q2", "prompt": "Then?", "show_if": rule, "not_applicable": "n/a"}
    assert build(FIRST, own)[1].options[-1] == "n/a"
    off = {"id": "q2", "prompt": "Then?", "show_if": rule, "not_applicable": "false"}
    assert refusal(FIRST, off).code == "no_room_for_silence"


def test_a_draft_is_left_as_it_was() -> None:
    """Building twice from one draft gives the same survey."""
    follow_up = {"id": "q2", "prompt": "Then?", "show_if": {"question": "first", "is": "Yes"}}
    before = dict(follow_up)
    assert build(FIRST, follow_up) == build(FIRST, follow_up)
    assert follow_up == before


@pytest.mark.parametrize(
    ("rule", "code", "message"),
    [
        (
            {"question": "later", "is": "Yes"},
            "bad_show_if",
            "show_if names 'later', which is not an earlier",
        ),
        (
            {"question": "q2", "is": "Yes"},
            "bad_show_if",
            "show_if names 'q2', which is not an earlier",
        ),
        ({"question": "first", "is": "Yep"}, "bad_show_if", "first has no option 'Yep'"),
        ({"question": "first", "is": [["Yes"]]}, "bad_show_if", "first has no option"),
        ({"question": "first", "is": []}, "bad_show_if", "show_if must name at least one option"),
        ({"question": "first"}, "missing_field", "q2.show_if needs the field 'is'"),
        ({"is": "Yes"}, "missing_field", "q2.show_if needs the field 'question'"),
        (
            {"question": "first", "is": "Yes", "or": 1},
            "unknown_field",
            "has the unknown field 'or'",
        ),
        ("first = Yes", "not_a_mapping", "q2.show_if must be a mapping of fields"),
    ],
)
def test_skip_logic_that_makes_no_sense_is_refused(rule: object, code: str, message: str) -> None:
    found = refusal(FIRST, {"id": "q2", "prompt": "Then?", "show_if": rule})
    assert found.code == code
    assert message in found.message


def test_a_number_that_can_be_hidden_has_room_for_it_and_for_declining() -> None:
    rule = {"question": "first", "is": "Yes"}
    number = {"id": "q2", "kind": "number", "prompt": "N", "lo": "0", "hi": "9", "show_if": rule}
    hidden = build(FIRST, number)[1]
    assert (hidden.domain, hidden.options) == (Levels(9, 1), ("Does not apply",))
    assert hidden.kind.hidden_answer == 10
    both = build(FIRST, number | {"decline": "true"})[1]
    assert (both.domain, both.mechanism.name) == (Levels(9, 2), "isw")
    assert both.kind.hidden_answer == 11
    off = number | {"not_applicable": "false"}
    assert refusal(FIRST, off).code == "no_room_for_silence"


def test_a_random_threshold_cannot_be_asked_for_with_silence() -> None:
    scale = {"id": "q2", "kind": "scale", "prompt": "S", "lo": "0", "hi": "9", "goal": "mean"}
    assert build(scale | {"mechanism": "rt"})[0].mechanism.name == "rt"
    found = refusal(scale | {"mechanism": "rt", "decline": "true"})
    assert found.code == "mechanism_does_not_fit"


def test_the_survey_says_who_draws_and_how_many_questions() -> None:
    two = [{"id": id, "prompt": "?"} for id in "ab"]
    survey = {"slug": "s", "title": "S", "epsilon": "1", "questions": two}
    built = build_survey(survey | {"ask_each_person": "1", "access": "invited"})
    assert (built.ask_each_person, built.access) == (1, "invited")
    assert built.total_epsilon == 1
    assert build_survey(survey).access == "open"
    assert refusal(*two, ask_each_person="one").code == "not_an_integer"
    assert refusal(*two, ask_each_person="2").code == "bad_ask_each_person"
    assert refusal(*two, access="me").code == "bad_access"
