"""What a report to a published document may say, written a second time and without the product."""

from itertools import pairwise
from typing import Any

from tests.torture.bad_input.oracles.document import strict
from tests.torture.bad_input.oracles.question import is_integer

MOST_BYTES = 2**16


def check_report(document: dict[str, Any], fingerprint: str, body: bytes) -> dict[str, Any]:
    """Fail unless these bytes are a report to the document; return its randomized answers."""
    assert len(body) <= MOST_BYTES
    tree = strict(body)
    chosen = "groups" in document and document["groups"]["by"] == "choice"
    assert tree.keys() == {"fingerprint", "randomized"} | ({"group"} if chosen else set())
    assert tree["fingerprint"] == fingerprint
    if chosen:
        _check_group(document["groups"]["factors"], tree["group"])
    check_answers(document, tree["randomized"])
    return dict(tree["randomized"])


def check_answers(document: dict[str, Any], randomized: Any) -> None:
    """Fail unless each question has one valid randomized answer, or null if it was not asked."""
    questions = document["questions"]
    assert isinstance(randomized, dict)
    assert randomized.keys() == {question["id"] for question in questions}
    given = [item for item in questions if randomized[item["id"]] is not None]
    assert len(given) == (document["ask_each_person"] or len(questions))
    for item in given:
        assert _fits(randomized[item["id"]], **item["mechanism"])


def _check_group(factors: list[dict[str, Any]], code: Any) -> None:
    assert isinstance(code, str)
    levels = code.split("-")
    assert len(levels) == len(factors)
    for level, factor in zip(levels, factors, strict=True):
        # Those who do not tell have the number after the last.
        assert level in [str(number) for number in range(len(factor["levels"]) + 1)]


def _fits(value: Any, name: str, threshold: int, **shape: int) -> bool:
    options, top = shape.get("options", 2), shape.get("top", 0)
    if name == "rr":
        return is_integer(value, 0, 1)
    if name == "hr":
        return is_integer(value, 0, 2 ** len(f"{options:b}") - 1)
    if name == "isw":
        windows = 1 + shape.get("silent", 0)
        return is_integer(value, 0, top + windows * (shape["width"] + 1) - 1)
    if name == "rt":
        return _is_pair(value, 1, top)
    if name == "smp":
        pairs = isinstance(value, list) and all(_is_pair(pair, 0, options - 1) for pair in value)
        return pairs and _is_set([box for box, _ in value], options, shape["asked"])
    return _is_set(value, options + shape.get("at_most", 0), shape["size"])


def _is_pair(value: Any, low: int, high: int) -> bool:
    is_list = isinstance(value, list) and len(value) == 2
    return is_list and is_integer(value[0], low, high) and is_integer(value[1], 0, 1)


def _is_set(value: Any, count: int, size: int) -> bool:
    if not isinstance(value, list) or len(value) != size:
        return False
    known = all(is_integer(member, 0, count - 1) for member in value)
    return known and all(a < b for a, b in pairwise(value))
