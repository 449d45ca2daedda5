"""Faults in a kind of question, a budget or skip logic, each with the code that refuses it."""

from collections.abc import Iterator
from copy import deepcopy

from tests.vectors.document_kinds import DECLINED, FOLLOW_UP, boxes_of_every_size
from tests.vectors.document_parts import (
    BY_MECHANISM,
    QUESTION,
    Tree,
    asked,
    cross,
    labels,
    mechanism,
    number,
    one_of,
)

Fault = tuple[str, Tree, str]


def kind_faults() -> Iterator[Fault]:
    """Yield name, document and code of the refusal."""
    yield from _option_faults()
    yield from _box_faults()
    yield from _cross_faults()
    yield from _level_faults()
    yield from _show_if_faults()
    yield from _sampling_faults()


def _option_faults() -> Iterator[Fault]:
    ss = mechanism("ss", "1", options=3, size=1)
    colour = one_of("a", ["red", "green", "blue"], "1", ss)
    yield "options_twice", asked(colour | {"options": ["red", "green", "red"]}), "bad_options"
    twice = colour | {"options": ["red", "green"], "decline": "red"}
    yield "options_twice_with_decline", asked(twice), "bad_options"
    yield (
        "silences_equal",
        asked(one_of("a", ["red"], "1", ss) | {"decline": "pass", "not_applicable": "pass"}),
        "bad_options",
    )
    yield "options_one_of_one", asked(colour | {"options": ["red"]}), "bad_options"
    yield "options_null", asked(colour | {"options": None}), "bad_options"
    yield (
        "options_empty_label_in_a_list",
        asked(colour | {"options": ["a", "b", " "]}),
        "empty_text",
    )
    yield "decline_null", asked(colour | {"decline": None}), "not_text"
    yield "decline_a_boolean", asked(colour | {"decline": True}), "not_text"
    yield "decline_control_character", asked(colour | {"decline": "\x07"}), "control_character"
    yield "one_of_with_at_most", asked(colour | {"at_most": 1}), "unknown_key"
    yield "yes_no_of_three", asked(colour | {"kind": "yes_no"}), "bad_options"
    yield (
        "kind_named_like_an_object_property",
        asked(colour | {"kind": "constructor"}),
        ("unknown_kind"),
    )
    yield "kind_a_list", asked(colour | {"kind": ["one_of"]}), "unknown_kind"


def _box_faults() -> Iterator[Fault]:
    boxes = deepcopy(BY_MECHANISM["privset"])
    for label, value in [("13", 13), ("negative", -1), ("text", "3"), ("boolean", True)]:
        yield f"at_most_{label}", asked(boxes | {"at_most": value}), "bad_at_most"
    yield "any_of_no_box", asked(boxes | {"options": []}), "bad_options"
    yield "any_of_199_boxes", asked(boxes | {"options": labels(199)}), "bad_options"


def _cross_faults() -> Iterator[Fault]:
    table = cross("a", "1", mechanism("ss", "1", options=6, size=2))
    yield "cross_long_side", asked(table | {"rows": labels(13)}), "bad_options"
    yield "cross_short_side", asked(table | {"columns": ["one"]}), "bad_options"
    yield "cross_rows_equal", asked(table | {"rows": ["No", "No"]}), "bad_options"
    yield (
        "cross_labels_meet",
        asked(
            cross("a", "1", mechanism("ss", "1", options=4, size=1))
            | {"rows": ["a", "a / b"], "columns": ["b / c", "c"]}
        ),
        "bad_options",
    )
    yield "cross_prompt_empty", asked(table | {"row_prompt": ""}), "empty_text"
    yield "cross_prompt_null", asked(table | {"column_prompt": None}), "not_text"


def _level_faults() -> Iterator[Fault]:
    trust, drinks = BY_MECHANISM["rt"], BY_MECHANISM["isw"]
    yield "goal_of_a_scale_distribution", asked(trust | {"goal": "distribution"}), "bad_goal"
    yield "goal_of_a_number_shares", asked(drinks | {"goal": "shares"}), "bad_goal"
    yield "goal_unknown", asked(trust | {"goal": "median"}), "bad_goal"
    yield "goal_null", asked(trust | {"goal": None}), "bad_goal"
    yield "goal_a_list", asked(trust | {"goal": ["mean"]}), "bad_goal"
    scales: list[tuple[str, Tree]] = [
        *(("reversed", {"lo": 10, "hi": 0}), ("of_one_level", {"lo": 5, "hi": 5})),
        *(("too_long", {"lo": 0, "hi": 101}), ("text", {"hi": "10"}), ("boolean", {"lo": False})),
        *(("too_far", {"lo": -1001, "hi": -1000}), ("null", {"lo": None})),
    ]
    for label, ends in scales:
        yield f"scale_{label}", asked(trust | ends), "bad_scale"
    yield "scale_label_null", asked(trust | {"lo_label": None}), "not_text"
    for label, grid in [
        *(("reversed", {"lo": "60", "hi": "0"}), ("of_one_level", {"lo": "60"})),
        *(("step_zero", {"step": "0"}), ("step_negative", {"step": "-1"})),
        *(("step_does_not_divide", {"step": "7"}), ("too_fine", {"step": "0.05"})),
    ]:
        yield f"number_{label}", asked(drinks | grid), "bad_number"
    yield (
        "number_too_fine_for_a_mean",
        asked(number("a", "mean", "1", mechanism("rt", "1", top=10000), hi="10001")),
        "bad_number",
    )
    for label, value in [
        *(("an_integer", 0), ("null", None), ("exponent", "1e1"), ("spaces", " 1")),
        *(("seven_decimals", "0.0000001"), ("plus", "+1"), ("leading_zero", "01"), ("nan", "NaN")),
    ]:
        yield f"number_lo_{label}", asked(drinks | {"lo": value}), "not_a_decimal"
    yield "number_with_trailing_zero", asked(drinks | {"lo": "0.0"}), "not_canonical"
    yield "number_negative_zero", asked(drinks | {"lo": "-0"}), "not_canonical"
    yield "number_unit_null", asked(drinks | {"unit": None}), "not_text"
    misfit = "mechanism_does_not_fit"
    yield "decline_in_a_mean_by_random_threshold", asked(trust | {"decline": "Pass"}), misfit
    yield "decline_in_a_number_without_its_window", asked(drinks | {"decline": "Pass"}), misfit
    equal = {"decline": "Pass", "not_applicable": "Pass"}
    yield "silences_of_a_number_equal", asked(DECLINED | equal), "bad_options"


def _show_if_faults() -> Iterator[Fault]:
    follow_up = FOLLOW_UP
    yield (
        "no_room_for_silence_when_hidden",
        asked(QUESTION, QUESTION | {"id": "q2", "show_if": {"question": "q1", "options": [1]}}),
        "no_room_for_silence",
    )
    for label, rule in [
        *(("itself", {"question": "follow_up", "options": [0]}),),
        *(("nothing_known", {"question": "nothing", "options": [0]}),),
        *(("no_options", {"question": "q1", "options": []}),),
        *(("option_too_large", {"question": "q1", "options": [2]}),),
        *(("option_negative", {"question": "q1", "options": [-1]}),),
        *(("option_boolean", {"question": "q1", "options": [True]}),),
        *(("option_text", {"question": "q1", "options": ["Yes"]}),),
        *(("options_an_integer", {"question": "q1", "options": 1}),),
        *(("question_null", {"question": None, "options": [1]}),),
    ]:
        yield f"show_if_{label}", asked(QUESTION, follow_up | {"show_if": rule}), "bad_show_if"
    yield "show_if_a_later_question", asked(follow_up, QUESTION), "bad_show_if"
    by_boxes = follow_up | {"show_if": {"question": "any", "options": [0]}}
    yield "show_if_check_boxes", asked(BY_MECHANISM["smp"], by_boxes), "bad_show_if"
    by_mean = follow_up | {"show_if": {"question": "trust", "options": [0]}}
    yield "show_if_a_mean", asked(BY_MECHANISM["rt"], by_mean), "bad_show_if"
    yield from _joined_faults(follow_up)
    yield (
        "show_if_with_ask_each_person",
        asked(QUESTION, follow_up, ask_each_person=1),
        ("bad_show_if"),
    )
    yield "show_if_a_list", asked(QUESTION, follow_up | {"show_if": []}), "not_an_object"
    yield (
        "show_if_unknown_key",
        asked(QUESTION, follow_up | {"show_if": {"question": "q1", "options": [1], "not": 1}}),
        "unknown_key",
    )


def _joined_faults(follow_up: Tree) -> Iterator[Fault]:
    levels = {"question": "trust", "from": 1, "to": 3}
    no_option, no_level = {"question": "q1", "options": [2]}, levels | {"to": 99}
    for label, rule in [
        *(("one_bad_condition", {"any": [levels, no_option]}),),
        *(("levels_reversed", levels | {"from": 4}),),
        *(("levels_too_high", no_level),),
        *(("levels_boolean", levels | {"from": True}),),
        *(("levels_of_options", {"question": "q1", "from": 0, "to": 1}),),
    ]:
        questions = (QUESTION, BY_MECHANISM["rt"], follow_up | {"show_if": rule})
        yield f"show_if_{label}", asked(*questions), "bad_show_if"


def _sampling_faults() -> Iterator[Fault]:
    two = (QUESTION, QUESTION | {"id": "q2"})
    for label, value in [
        ("all", 2),
        ("more", 3),
        ("negative", -1),
        ("text", "1"),
        ("boolean", True),
    ]:
        tree = asked(*two) | {"ask_each_person": value}
        yield f"ask_each_person_{label}", tree, "bad_ask_each_person"
    yield "ask_each_person_null", asked(*two) | {"ask_each_person": None}, "bad_ask_each_person"
    dear = QUESTION | {"id": "q2", "epsilon": "2", "mechanism": mechanism("rr", "2")}
    # The total is what the person with the costliest question spends, not the sum or the mean.
    for label, total in [("the_sum", "3"), ("the_cheapest", "1"), ("the_mean", "1.5")]:
        tree = asked(QUESTION, dear, ask_each_person=1) | {"total_epsilon": total}
        yield f"total_of_one_asked_is_{label}", tree, "wrong_total"
    yield (
        "total_of_all_asked_is_the_dearest",
        asked(QUESTION, dear) | {"total_epsilon": "2"},
        ("wrong_total"),
    )
    yield "report_too_large", boxes_of_every_size(), "report_too_large"
