"""Canonical JSON, and a strict parser for it.

The parser checks the size first, then UTF-8, then the depth, and then reads JSON without duplicate
keys whose only numbers are integers. The standard parser alone accepts NaN, duplicate keys and
UTF-16, and overflows on deep nesting.
"""

import json
from collections import Counter
from typing import Any, NoReturn

from client.core.primitives.refusal import Refusal

MAX_DEPTH = 4
# No value here needs more digits, and long integers are slow to parse.
MAX_DIGITS = 15


def canonical(value: Any) -> bytes:
    """Return the one canonical spelling of a value: sorted keys, no spaces, UTF-8."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    try:
        return text.encode()
    except UnicodeEncodeError:
        # JSON and YAML can escape a half surrogate, as in \ud800; it stands for no character.
        raise Refusal("not_utf8.surrogates") from None


def parse(data: bytes, limit: int, what: str = "body", depth: int = MAX_DEPTH) -> Any:
    """Parse `data` strictly; raise a `Refusal` that names the fault if it is not acceptable."""
    if len(data) > limit:
        raise Refusal("too_large.text", what=what, most=limit, got=len(data))
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
    """Return `value` if it is an object with exactly these keys, plus any of the optional ones."""
    if not isinstance(value, dict):
        raise Refusal("not_an_object", what, kind=type_name(value))
    for key in sorted(keys - value.keys()):
        raise Refusal("missing_key", key, what=what)
    for key in sorted(value.keys() - keys - optional):
        raise Refusal("unknown_key", key, what=what)
    return value


def type_name(value: object) -> str:
    """Return the type of a JSON value in words, for messages."""
    names = {dict: "an object", list: "a list", str: "text", int: "an integer", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _check_depth(text: str, what: str, most: int) -> None:
    # A text with few brackets cannot nest deeply, so most bodies skip the scan.
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
        # Counted in one pass, because a hostile body may hold very many keys.
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
