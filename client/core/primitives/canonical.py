"""Canonical JSON, and a parser that accepts nothing it should not.

Size first, then depth, then UTF-8, then JSON with no duplicate keys and no number but an integer.
The standard parser alone accepts NaN, duplicate keys and UTF-16, and overflows on deep nesting.
"""

import json
from collections import Counter
from typing import Any, NoReturn

from client.core.primitives.refusal import Refusal

MAX_DEPTH = 4
# Integers of more digits than this mean nothing here and are slow to read.
MAX_DIGITS = 15


def canonical(value: Any) -> bytes:
    """Sorted keys, no spaces, UTF-8: one spelling per value, the same in every language."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    try:
        return text.encode()
    except UnicodeEncodeError:
        # JSON and YAML can escape one, as in \ud800; it stands for no character.
        raise Refusal("not_utf8.surrogates") from None


def parse(data: bytes, limit: int, what: str = "body", depth: int = MAX_DEPTH) -> Any:
    """The JSON value in `data`, or a `Refusal` that names the fault."""
    if len(data) > limit:
        raise Refusal("body_too_large", what=what, most=limit, got=len(data))
    try:
        text = data.decode("utf-8", errors="strict")
    except UnicodeDecodeError:
        raise Refusal("not_utf8.bytes", what=what) from None
    _check_depth(text, what, depth)
    try:
        return json.loads(
            text,
            object_pairs_hook=_no_duplicates,
            parse_int=_small_integer,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
    except json.JSONDecodeError as error:
        raise Refusal(
            "malformed_json", what=what, reason=error.msg, line=error.lineno, column=error.colno
        ) from None


def exact_keys(
    value: object, keys: frozenset[str], what: str, optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """`value` as an object with just these keys, and perhaps the optional ones."""
    if not isinstance(value, dict):
        raise Refusal("not_an_object", what, kind=kind(value))
    for key in sorted(keys - value.keys()):
        raise Refusal("missing_key", key, what=what)
    for key in sorted(value.keys() - keys - optional):
        raise Refusal("unknown_key", key, what=what)
    return value


def kind(value: object) -> str:
    """What a JSON value is, in words for an error."""
    names = {dict: "an object", list: "a list", str: "text", int: "an integer", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _check_depth(text: str, what: str, most: int) -> None:
    # Few brackets cannot nest deeply: most bodies are spared the walk.
    if text.count("[") + text.count("{") <= most:
        return
    depth, in_string, escaped = 0, False, False
    for character in text:
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in "[{":
            depth += 1
            if depth > most:
                raise Refusal("too_deep", what=what, most=most)
        elif character in "]}":
            depth -= 1


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        # Counted in one go: a stranger sends as many keys as fit into a body.
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise Refusal("duplicate_key", twice)
    return result


def _small_integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise Refusal("number_too_large", most=MAX_DIGITS)
    return int(digits)


def _no_float(text: str) -> NoReturn:
    raise Refusal("not_an_integer", text=text)
