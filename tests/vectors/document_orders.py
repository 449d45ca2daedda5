"""Documents with random order: good ones, and everything that can be wrong with them."""

from collections.abc import Iterator
from typing import Any

from tests.vectors.document_kinds import SKIPPING
from tests.vectors.document_parts import (
    QUESTION,
    Tree,
    any_of,
    asked,
    cross,
    labels,
    mechanism,
    number,
    one_of,
    scale,
)

LIST = one_of("colour", labels(5), "1", mechanism("ss", "1", options=5, size=1))
BOXES = any_of("boxes", 4, 0, "1", mechanism("smp", "1", options=4, asked=1))
SCALE = scale("trust", "shares", "1", mechanism("ss", "1", options=5, size=1), hi=4)
TABLE = cross("both", "1", mechanism("ss", "1", options=6, size=2))


def shuffled(question: Tree, **fields: Any) -> Tree:
    """Return a document with this question in random order."""
    return asked(question | {"shuffle": True} | fields)


def good_orders() -> Iterator[tuple[str, Tree]]:
    yield "order_of_questions", asked(QUESTION, LIST, shuffle=True)
    yield "order_of_questions_with_a_condition", SKIPPING | {"shuffle": True}
    yield "order_of_yes_and_no", shuffled(QUESTION)
    yield "order_of_a_list", shuffled(LIST)
    yield "order_of_a_list_with_anchors", shuffled(LIST, anchored=[0, 3, 4])
    yield "order_of_boxes", shuffled(BOXES, anchored=[3])
    yield "order_of_a_table", shuffled(TABLE)
    yield "order_of_a_scale", asked(SCALE | {"reverse": True})


def order_faults() -> Iterator[tuple[str, Tree, str]]:
    for label, value in (("null", None), ("one", 1), ("a_text", "true")):
        yield f"order_of_questions_{label}", asked(QUESTION, shuffle=value), "bad_flag"
        yield f"order_shuffle_{label}", asked(LIST | {"shuffle": value}), "bad_flag"
        yield f"order_reverse_{label}", asked(SCALE | {"reverse": value}), "bad_flag"
    # What is not the case is not in a document.
    yield "order_of_questions_false", asked(QUESTION, shuffle=False), "not_canonical"
    yield "order_shuffle_false", asked(LIST | {"shuffle": False}), "not_canonical"
    yield "order_reverse_false", asked(SCALE | {"reverse": False}), "not_canonical"
    yield "order_anchored_none", shuffled(LIST, anchored=[]), "not_canonical"
    yield "order_of_levels", shuffled(SCALE), "bad_shuffle"
    drinks = number("drinks", "mean", "1", mechanism("rt", "1", top=60))
    yield "order_of_numbers", shuffled(drinks), "bad_shuffle"
    yield "order_reverse_a_list", asked(LIST | {"reverse": True}), "bad_reverse"
    yield "order_reverse_numbers", asked(drinks | {"reverse": True}), "bad_reverse"
    yield "order_anchored_unshuffled", asked(LIST | {"anchored": [4]}), "bad_anchored"
    yield "order_anchored_in_a_table", shuffled(TABLE, anchored=[1]), "bad_anchored"
    yield "order_anchored_on_a_scale", asked(SCALE | {"anchored": [1]}), "bad_anchored"
    odd: dict[str, Any] = {
        **{"null": None, "a_number": 4, "an_object": {}, "a_text": "4"},
        **{"beyond": [5], "negative": [-1], "true": [True], "label": ["a"]},
        **{"twice": [4, 4], "unsorted": [4, 0], "all_but_one": [0, 1, 2, 3]},
    }
    for label, anchored in odd.items():
        yield f"order_anchored_{label}", shuffled(LIST, anchored=anchored), "bad_anchored"
