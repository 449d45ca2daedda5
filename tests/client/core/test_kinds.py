"""Kinds of question: possible answers, options for silence, and every refusal."""

from decimal import Decimal
from typing import Any

import pytest

from client.core.conditions import ANY, Condition, ShowIf
from client.core.kinds import KINDS, AnyOf, Cross, Kind, Number, OneOf, Scale, YesNo
from client.core.primitives.domain import Checks, Choice, Levels
from client.core.primitives.refusal import Refusal
from client.core.question import Question, is_shown
from tests.support.surveys import labels, one_of

CROSS: dict[str, Any] = {
    "row_prompt": "Smoke?",
    "rows": ("No", "Yes"),
    "column_prompt": "Drink?",
    "columns": ("Never", "Often"),
}
NUMBER: dict[str, Any] = {"lo": Decimal(0), "hi": Decimal(60), "step": Decimal(1)}


def test_documents_find_every_kind_by_its_name() -> None:
    assert list(KINDS) == ["yes_no", "one_of", "any_of", "scale", "number", "cross"]


@pytest.mark.parametrize(
    ("kind", "domain"),
    [
        (YesNo(), Choice(2)),
        (YesNo(decline="Pass"), Choice(3)),
        (OneOf(options=labels(5)), Choice(5)),
        (OneOf(options=labels(5), decline="Pass", not_applicable="n/a"), Choice(7)),
        (AnyOf(options=labels(5)), Checks(5, 5)),
        (AnyOf(options=labels(5), at_most=2), Checks(5, 2)),
        (AnyOf(options=labels(5), at_most=2, decline="Pass"), Checks(6, 2)),
        (AnyOf(options=labels(1)), Checks(1, 1)),
        (Scale(lo=0, hi=10), Choice(11)),
        (Scale(lo=1, hi=5, decline="Pass"), Choice(6)),
        (Scale(lo=-3, hi=3, goal="mean"), Levels(6)),
        (Number(**NUMBER), Levels(60)),
        (Number(**NUMBER | {"step": Decimal("0.5")}, goal="distribution"), Levels(120)),
        (Cross(**CROSS), Choice(4)),
        (Cross(**CROSS, not_applicable="n/a"), Choice(5)),
    ],
)
def test_silence_is_an_option_inside_the_domain(kind: Kind, domain: object) -> None:
    assert kind.domain == domain


def test_the_options_for_silence_come_last() -> None:
    kind = OneOf(options=("a", "b"), decline="Pass", not_applicable="n/a")
    assert kind.labels == ("a", "b", "Pass", "n/a")
    assert kind.hidden_answer == 3
    assert AnyOf(options=("a", "b"), not_applicable="n/a").hidden_answer == [2]


def test_a_cross_lists_its_cells_row_by_row() -> None:
    assert Cross(**CROSS).labels == ("No / Never", "No / Often", "Yes / Never", "Yes / Often")


def test_a_scale_has_its_numbers_as_labels_and_a_number_has_none() -> None:
    assert Scale(lo=-1, hi=1).labels == ("-1", "0", "1")
    assert Number(**NUMBER).labels == ()


@pytest.mark.parametrize(
    ("kind", "fields", "code", "message"),
    [
        (YesNo, {"options": labels(3)}, "bad_options", "options must be a list of 2 to 2 labels"),
        (YesNo, {"options": ["No", "Yes"]}, "bad_options", "must be a list of 2 to 2"),
        (YesNo, {"options": ("Yes", "Yes")}, "bad_options", "one appears twice"),
        (YesNo, {"decline": "Yes"}, "bad_options", "one appears twice"),
        (YesNo, {"decline": None}, "not_text", "decline must be text, got null"),
        (YesNo, {"not_applicable": 1}, "not_text", "not_applicable must be text"),
        (YesNo, {"decline": "\t"}, "control_character", "decline must not contain control"),
        (OneOf, {"options": labels(1)}, "bad_options", "a list of 2 to 20000 labels"),
        (OneOf, {"options": labels(20001)}, "bad_options", "a list of 2 to 20000 labels"),
        (OneOf, {"options": ("a", "")}, "empty_text", "options must not be empty"),
        (OneOf, {"options": ("a", 1)}, "not_text", "options must be text"),
        (AnyOf, {"options": ()}, "bad_options", "a list of 1 to 198 labels"),
        (AnyOf, {"options": labels(199)}, "bad_options", "a list of 1 to 198 labels"),
        (AnyOf, {"options": labels(3), "at_most": 4}, "bad_at_most", "from 1 to .* 3, or 0 for"),
        (AnyOf, {"options": labels(3), "at_most": -1}, "bad_at_most", "got -1"),
        (AnyOf, {"options": labels(3), "at_most": True}, "bad_at_most", "got True"),
        (Scale, {"lo": 5, "hi": 5}, "bad_scale", "hi must be above lo, by at most 100, got 5 to 5"),
        (Scale, {"lo": 5, "hi": 1}, "bad_scale", "hi must be above lo"),
        (Scale, {"lo": 0, "hi": 101}, "bad_scale", "by at most 100, got 0 to 101"),
        (Scale, {"lo": 0.0, "hi": 10}, "bad_scale", "lo must be a whole number, got 0.0"),
        (Scale, {"lo": 0, "hi": 1001}, "bad_scale", "hi must be a whole number, got 1001"),
        (Scale, {"lo": 0, "hi": 5, "lo_label": None}, "not_text", "lo_label must be text"),
        (Scale, {"lo": 0, "hi": 5, "goal": "median"}, "bad_goal", "must be shares or mean"),
        (Number, NUMBER | {"lo": 0}, "bad_number", "lo must be a decimal such as 0.5"),
        (Number, NUMBER | {"step": Decimal(0)}, "bad_number", "step must be above 0, got 0"),
        (Number, NUMBER | {"hi": Decimal(0)}, "bad_number", "hi must be above lo, got 0"),
        (Number, NUMBER | {"step": Decimal(7)}, "bad_number", "step must divide the range from 0"),
        (Number, NUMBER | {"hi": Decimal(10001)}, "bad_number", "at most 10000 steps .* got 10001"),
        (
            Number,
            NUMBER | {"hi": Decimal(1001), "goal": "distribution"},
            "bad_number",
            "at most 1000 steps",
        ),
        (Number, NUMBER | {"unit": None}, "not_text", "unit must be text"),
        (Number, NUMBER | {"goal": "shares"}, "bad_goal", "goal must be mean or distribution"),
        (Number, NUMBER | {"decline": "a", "not_applicable": "a"}, "bad_options", "options"),
        (Cross, CROSS | {"rows": labels(13)}, "bad_options", "rows must be a list of 2 to 12"),
        (Cross, CROSS | {"columns": labels(1)}, "bad_options", "columns must be a list of 2 to 12"),
        (Cross, CROSS | {"row_prompt": " "}, "empty_text", "row_prompt must not be empty"),
        (Cross, CROSS | {"column_prompt": 3}, "not_text", "column_prompt must be text"),
        (
            Cross,
            CROSS | {"rows": ("a", "a / b"), "columns": ("b / c", "c")},
            "bad_options",
            "one appears twice",
        ),
    ],
)
def test_fields_that_make_no_sense_are_refused(
    kind: type[Kind], fields: dict[str, Any], code: str, message: str
) -> None:
    with pytest.raises(Refusal, match=message) as caught:
        kind(**fields)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("domain", "answer", "code"),
    [
        (Choice(3), 3, "option_out_of_range"),
        (Choice(3), -1, "option_out_of_range"),
        (Choice(3), True, "option_out_of_range"),
        (Choice(3), "1", "option_out_of_range"),
        (Levels(3), 4, "option_out_of_range"),
        (Levels(3), 1.0, "option_out_of_range"),
        (Checks(3, 2), [0, 1, 2], "too_many_options"),
        (Checks(3, 2), [3], "option_out_of_range"),
        (Checks(3, 2), [1, 0], "unsorted_set"),
        (Checks(3, 2), [1, 1], "unsorted_set"),
        (Checks(3, 2), (0,), "wrong_set_size"),
        (Checks(3, 2), 1, "wrong_set_size"),
    ],
)
def test_an_answer_outside_the_domain_is_refused(domain: Any, answer: Any, code: str) -> None:
    with pytest.raises(Refusal, match=r"^q1") as caught:
        domain.check(answer, "q1")
    assert (caught.value.code, caught.value.field) == (code, "q1")


def test_too_many_boxes_are_refused_with_both_numbers() -> None:
    with pytest.raises(Refusal, match="q1: at most 2 options can be ticked, got 3"):
        Checks(5, 2).check([0, 1, 2], "q1")


@pytest.mark.parametrize("size", [0, 1, 20001, True, 2.0, "2"])
def test_a_domain_of_no_size_is_refused(size: object) -> None:
    with pytest.raises(Refusal, match="options must be an integer from 2 to 20000"):
        Choice(size)  # type: ignore[arg-type]


def shown_if(*options: int) -> Question:
    plain = one_of("after", 3, "1")
    kind = OneOf(options=("a", "b"), not_applicable="n/a")
    rule = ShowIf((Condition("first", options),))
    return Question("after", "?", kind, plain.epsilon, plain.mechanism, rule)


def test_a_question_is_shown_only_after_one_of_the_answers_that_it_waits_for() -> None:
    assert is_shown(shown_if(1, 2), {"first": 2})
    assert not is_shown(shown_if(1, 2), {"first": 0})
    # A hidden decider answers with its last option, and so hides the questions that wait for
    # others.
    assert not is_shown(shown_if(0), {"first": 3})
    assert not is_shown(shown_if(0), {})


def test_numbers_decide_and_conditions_are_joined() -> None:
    drinks, smokes = Condition("drinks", levels=(1, 4)), Condition("smokes", (1,))
    both, either = ShowIf((drinks, smokes)), ShowIf((drinks, smokes), ANY)
    assert both.holds({"drinks": 4, "smokes": 1})
    assert not both.holds({"drinks": 5, "smokes": 1})
    assert either.holds({"drinks": 5, "smokes": 1})
    # A decider that is hidden answers beyond its levels.
    assert not either.holds({"drinks": 6})
    assert both.questions == ("drinks", "smokes")
