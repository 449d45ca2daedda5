"""What a question of a published document may say, written a second time and without the product.

The rules come from the documentation. Nothing here is imported from the code under test.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from math import comb
from typing import Any

_BIDI = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF}
_LISTS = {"yes_no": ("options",), "one_of": ("options",), "any_of": ("options",)}
_SHARED = {"id", "kind", "prompt", "epsilon", "mechanism", "show_if", "decline", "not_applicable"}
_OWN = {
    "yes_no": {"options"},
    "one_of": {"options"},
    "any_of": {"options", "at_most"},
    "scale": {"lo", "hi", "lo_label", "hi_label", "goal"},
    "number": {"lo", "hi", "step", "unit", "goal"},
    "cross": {"row_prompt", "rows", "column_prompt", "columns"},
}
_OPTIONAL = {"heading", "hint", "shuffle", "anchored", "reverse"}
TEXTS = {
    **dict.fromkeys(("yes_no", "one_of", "any_of"), ("options",)),
    "scale": ("lo_label", "hi_label"),
    "number": ("unit",),
    "cross": ("row_prompt", "rows", "column_prompt", "columns"),
}


@dataclass(frozen=True)
class Answers:
    """What can be answered: one of `count` options, some of `count` boxes, or a level up to it."""

    form: str
    count: int
    # At most so many boxes, or the options for silence beside the levels.
    extra: int = 0


def is_integer(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def is_text(value: object, empty: bool = True, most: int = 2000) -> bool:
    if not isinstance(value, str) or len(value) > most or not (empty or value.strip()):
        return False
    return not any(
        (unicodedata.category(sign) in ("Cc", "Cs") and sign != "\n") or ord(sign) in _BIDI
        for sign in value
    )


def are_labels(value: object, low: int, high: int) -> bool:
    if not isinstance(value, list) or not low <= len(value) <= high:
        return False
    return all(is_text(label, empty=False) for label in value) and len(set(value)) == len(value)


def plain(text: object) -> Decimal:
    """Return a decimal; its spelling must be the only one."""
    assert isinstance(text, str)
    assert re.fullmatch(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{0,5}[1-9])?", text), text
    assert text != "-0"
    return Decimal(text)


def check_question(item: Any, earlier: Sequence[tuple[str, Answers]], sampled: bool) -> Answers:
    """Fail unless the question is sound; return what can be answered."""
    assert isinstance(item, dict)
    own = _OWN[item["kind"]]
    assert own | _SHARED <= item.keys() <= own | _SHARED | _OPTIONAL
    assert re.fullmatch("[a-z][a-z0-9_]{0,31}", item["id"])
    assert item["id"] not in [id for id, _ in earlier]
    assert is_text(item["prompt"], empty=False)
    assert is_text(item["decline"])
    assert is_text(item["not_applicable"])
    assert all(item[name] and is_text(item[name]) for name in ("heading", "hint") if name in item)
    answers = _answers(item)
    _check_mechanism(item["mechanism"], plain(item["epsilon"]), answers)
    _check_order(item)
    _check_conditions(item, dict(earlier), sampled)
    return answers


def _answers(item: dict[str, Any]) -> Answers:
    kind, silence = item["kind"], [item[name] for name in ("decline", "not_applicable")]
    silence = [label for label in silence if label]
    if kind == "number":
        lo, hi, step = (plain(item[name]) for name in ("lo", "hi", "step"))
        assert is_text(item["unit"])
        assert step > 0
        assert lo < hi
        assert (hi - lo) % step == 0
        top = int((hi - lo) / step)
        assert top <= {"mean": 10_000, "distribution": 1000}[item["goal"]]
        assert len(set(silence)) == len(silence)
        return Answers("levels", top, len(silence))
    labels = [*_labels(item), *silence]
    assert are_labels(labels, 2 if kind != "any_of" else 1, 20_002)
    if kind == "any_of":
        assert is_integer(item["at_most"], 0, len(item["options"]))
        return Answers("boxes", len(labels), item["at_most"] or len(labels))
    if kind == "scale" and item["goal"] == "mean":
        return Answers("levels", item["hi"] - item["lo"], len(silence))
    return Answers("options", len(labels))


def _labels(item: dict[str, Any]) -> list[str]:
    kind = item["kind"]
    if kind == "cross":
        assert is_text(item["row_prompt"], empty=False)
        assert is_text(item["column_prompt"], empty=False)
        assert are_labels(item["rows"], 2, 12)
        assert are_labels(item["columns"], 2, 12)
        return [f"{row} / {column}" for row in item["rows"] for column in item["columns"]]
    if kind == "scale":
        assert is_integer(item["lo"], -1000, 1000)
        assert is_integer(item["hi"], -1000, 1000)
        assert 1 <= item["hi"] - item["lo"] <= 100
        assert is_text(item["lo_label"])
        assert is_text(item["hi_label"])
        assert item["goal"] in ("shares", "mean")
        return [str(level) for level in range(item["lo"], item["hi"] + 1)]
    low, high = {"yes_no": (2, 2), "one_of": (2, 20_000), "any_of": (1, 198)}[kind]
    assert are_labels(item["options"], low, high)
    return list(item["options"])


def _check_mechanism(given: Any, epsilon: Decimal, answers: Answers) -> None:
    """Fail unless the mechanism fits, and its threshold gives the epsilon and not a bit more."""
    shape = {name: value for name, value in given.items() if name not in ("name", "threshold")}
    assert all(type(value) is int for value in shape.values())
    near, far, draws, fitting = _sets(given["name"], **shape)
    assert fitting == answers or (given["name"] == "smp" and fitting.count == answers.count)
    assert fitting.form == answers.form
    assert Decimal("0.01") <= epsilon <= 10
    assert is_integer(given["threshold"], 1, 2**32 - 1)
    kept, flipped = given["threshold"] * far, (2**32 - given["threshold"]) * near
    assert kept > flipped
    with localcontext() as context:
        context.prec = 60
        ratio = Decimal(kept) / flipped
        assert ratio <= _power(epsilon / draws), "leaks more than its epsilon"
        assert ratio > _power(Decimal("0.999") * epsilon / draws), "wastes its epsilon"


def _sets(name: str, **shape: int) -> tuple[int, int, int, Answers]:
    """Return the sizes of the near and the far set, the draws, and the answers that fit."""
    if name == "isw":
        top, width, silent = shape["top"], shape["width"], shape.get("silent", 0)
        assert shape.keys() <= {"top", "width", "silent"}
        assert 0 <= width <= top
        assert silent or "silent" not in shape
        return width + 1, top + silent * (width + 1), 1, Answers("levels", top, silent)
    assert shape.keys() == _SHAPES[name]
    options, size = shape.get("options", 2), shape.get("size", 1)
    if name == "ss":
        assert 1 <= size < options
        return size, options - size, 1, Answers("options", options)
    if name == "privset":
        most = shape["at_most"]
        assert 1 <= size <= options
        far = comb(options, size)
        return comb(options + most, size) - far, far, 1, Answers("boxes", options, most)
    if name == "smp":
        assert 1 <= shape["asked"] <= options
        return 1, 1, shape["asked"], Answers("boxes", options, options)
    if name == "rt":
        return 1, 1, 1, Answers("levels", shape["top"])
    return 1, 1, 1, Answers("options", options)


_SHAPES = {
    "rr": set[str](),
    "hr": {"options"},
    "ss": {"options", "size"},
    "smp": {"options", "asked"},
    "privset": {"options", "at_most", "size"},
    "rt": {"top"},
}


@cache
def _power(exponent: Decimal) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        return exponent.exp()


def _check_order(item: dict[str, Any]) -> None:
    """Fail unless random order is asked for only where there is something to order."""
    assert all(item[name] is True for name in ("shuffle", "reverse") if name in item)
    assert "reverse" not in item or item["kind"] == "scale"
    assert "shuffle" not in item or item["kind"] not in ("scale", "number")
    if "anchored" in item:
        options = len(item["options"])
        assert item["shuffle"]
        assert 1 <= len(item["anchored"]) <= options - 2
        assert item["anchored"] == sorted(set(item["anchored"]))
        assert all(is_integer(option, 0, options - 1) for option in item["anchored"])


def _check_conditions(item: dict[str, Any], earlier: dict[str, Answers], sampled: bool) -> None:
    rule = item["show_if"]
    if rule is None:
        return
    assert item["not_applicable"]
    assert not sampled
    conditions = [rule]
    for joined in rule.keys() & {"all", "any"}:
        assert len(rule) == 1
        conditions = rule[joined]
        assert 2 <= len(conditions) <= 10
    for condition in conditions:
        answers = earlier[condition["question"]]
        if condition.keys() == {"question", "from", "to"}:
            assert answers.form == "levels"
            assert all(is_integer(condition[name], 0, answers.count) for name in ("from", "to"))
            assert condition["from"] <= condition["to"]
        else:
            assert condition.keys() == {"question", "options"}
            assert answers.form == "options"
            assert condition["options"]
            assert all(is_integer(option, 0, answers.count - 1) for option in condition["options"])
