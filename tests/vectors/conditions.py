"""Vectors of skip logic: a rule, answers so far, and whether they show the question."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from client.core.conditions import read_show_if
from tests.vectors.tapes import Vector

YES: dict[str, Any] = {"question": "a", "options": [1]}
LISTED: dict[str, Any] = {"question": "b", "options": [0, 2]}
LEVELS: dict[str, Any] = {"question": "n", "from": 1, "to": 3}
RULES: dict[str, dict[str, Any]] = {
    "one": YES,
    "levels": LEVELS,
    "all": {"all": [YES, LISTED, LEVELS]},
    "any": {"any": [YES, LEVELS]},
    "twice": {"any": [LEVELS, {"question": "n", "from": 7, "to": 7}]},
}
FAULTS: dict[str, tuple[Any, str]] = {
    "one_condition": ({"all": [YES]}, "bad_show_if"),
    "too_many_conditions": ({"any": [YES] * 11}, "bad_show_if"),
    "conditions_an_object": ({"any": YES}, "bad_show_if"),
    "all_and_any": ({"all": [YES] * 2, "any": [YES] * 2}, "unknown_key"),
    "joined_inside": ({"all": [YES, {"any": [YES] * 2}]}, "missing_key"),
    "levels_without_an_end": ({"question": "n", "from": 1}, "missing_key"),
    "levels_with_options": (LEVELS | {"options": [1]}, "unknown_key"),
    "a_number": (1, "not_an_object"),
}


def condition_vectors() -> Iterator[Vector]:
    """Yield every rule with every combination of answers, missing ones too, then bad rules."""
    for name, written in RULES.items():
        rule = read_show_if(written)
        assert rule is not None
        for number, (a, b, n) in enumerate(
            product((None, 0, 1), (None, 1, 2), (None, 0, 1, 3, 4, 7))
        ):
            given = {"a": a, "b": b, "n": n}
            answers = {id: answer for id, answer in given.items() if answer is not None}
            yield {
                "name": f"{name}_{number}",
                "show_if": written,
                "answers": answers,
                "shown": rule.holds(answers),
            }
    for name, (written, code) in FAULTS.items():
        yield {"name": f"bad_{name}", "show_if": written, "refused": code}
