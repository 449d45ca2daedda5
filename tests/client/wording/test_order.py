"""Random order: exactly uniform, anchors and conditions in place, and nothing of it in a report."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import factorial
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.words import WORD_RANGE
from client.core.survey import Survey
from client.wording.order import Order, draw_order
from tests.vectors.tapes import Tape

FIRST = {"id": "first", "prompt": "First?", "epsilon": "1"}


def survey(*questions: dict[str, Any], **fields: Any) -> Survey:
    return build_survey({"slug": "s", "title": "t", "questions": list(questions), **fields})


def listed(count: int, **fields: Any) -> dict[str, Any]:
    options = [f"L{number}" for number in range(count)]
    return {
        **{"id": "list", "kind": "one_of", "prompt": "Which?", "options": options, "epsilon": "1"},
        "shuffle": "true",
        **fields,
    }


def all_orders(drawn: Survey, *bounds: int) -> list[Order]:
    """Return the order for every outcome of draws below these bounds, each equally likely."""
    tapes = product(*(range(bound) for bound in bounds))
    orders = []
    for words in tapes:
        tape = Tape(list(words))
        orders.append(draw_order(drawn, tape))
        assert tape.used == len(bounds)
    return orders


def shares(values: list[Any]) -> dict[Any, Fraction]:
    return {value: Fraction(n, len(values)) for value, n in Counter(values).items()}


def test_every_order_of_a_list_is_equally_likely() -> None:
    found = shares([order.options["list"] for order in all_orders(survey(listed(4)), 4, 3, 2)])
    assert len(found) == factorial(4)
    assert set(found.values()) == {Fraction(1, 24)}


def test_anchored_options_stay_and_the_others_are_uniform() -> None:
    drawn = survey(listed(5, anchored=["L4", "L1"]))
    orders = [order.options["list"][0] for order in all_orders(drawn, 3, 2)]
    assert all(order[1] == 1 and order[4] == 4 for order in orders)
    assert set(shares(orders).values()) == {Fraction(1, 6)}


def test_both_sides_of_a_table_are_shuffled_each_by_itself() -> None:
    table = {
        **{"id": "both", "kind": "cross", "prompt": "Both?", "epsilon": "1", "shuffle": True},
        **{"row_prompt": "One?", "column_prompt": "Other?", "columns": ["a", "b", "c"]},
    }
    found = shares([order.options["both"] for order in all_orders(survey(table), 2, 3, 2)])
    assert len(found) == 12
    assert set(found.values()) == {Fraction(1, 12)}


@pytest.mark.parametrize(("word", "turned"), [(0, True), (WORD_RANGE // 2, False)])
def test_half_of_the_people_see_a_scale_from_high_to_low(word: int, turned: bool) -> None:
    scale = {"id": "s", "kind": "scale", "prompt": "?", "lo": 1, "hi": 3, "epsilon": "1"}
    drawn = survey({**scale, "reverse": "yes"})
    order = draw_order(drawn, Tape([word]))
    assert order.options_of(drawn.questions[0]) == (((2, 1, 0) if turned else (0, 1, 2)),)


def test_questions_move_within_their_section_and_around_conditions() -> None:
    questions: list[dict[str, Any]] = [
        FIRST,
        {"id": "decides", "prompt": "?", "epsilon": "1"},
        {"id": "free", "prompt": "?", "epsilon": "1"},
        {
            **{"id": "hidden", "prompt": "?", "epsilon": "1"},
            "show_if": {"question": "decides", "is": ["Yes"]},
        },
        {"id": "other", "prompt": "?", "epsilon": "1", "heading": "Another section"},
        {"id": "last", "prompt": "?", "epsilon": "1"},
    ]
    drawn = survey(*questions, shuffle=True)
    orders = [order.questions for order in all_orders(drawn, 2, 2)]
    # The questions of the condition are the second and the fourth, and a heading begins the fifth.
    assert shares(orders) == {
        (*first, *last): Fraction(1, 4)
        for first in [(0, 1, 2, 3), (2, 1, 0, 3)]
        for last in [(4, 5), (5, 4)]
    }


def test_without_the_wish_nothing_is_drawn_and_nothing_moves() -> None:
    drawn = survey(FIRST, listed(3, shuffle="no"))
    order = draw_order(drawn, Tape([]))
    assert order == Order((0, 1), {})
    assert order.options_of(drawn.questions[1]) == ((0, 1, 2),)


def test_the_longest_list_is_shuffled_whole() -> None:
    drawn = survey(listed(300))
    (order,) = draw_order(drawn, Tape([12345 * n % WORD_RANGE for n in range(400)])).options["list"]
    assert sorted(order) == list(range(300))
    assert sum(a < b for a, b in pairwise(order)) < 250
