"""Plain values in a survey: days, exact decimals, each with one spelling, and checked texts.

A decimal is never a float. A text is data for people, never markup.
"""

import re
from decimal import Decimal

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require

DAY = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
PLAIN = re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?")


def parse_decimal(text: object, what: str, field: str | None = None) -> Decimal:
    """Parse a plain decimal such as -2.5: no exponent, at most six decimals."""
    if not isinstance(text, str) or not PLAIN.fullmatch(text):
        raise Refusal("not_a_decimal", field or what, what=what, text=text)
    # Adding zero turns a negative zero into a plain zero.
    return Decimal(text) + 0


def decimal_text(value: Decimal) -> str:
    """Return the one spelling of a decimal: no exponent, no trailing zeros."""
    return f"{value.normalize():f}"


MAX_TEXT = 2000
# Of the texts that fill a page.
MAX_PAGE = 20_000
# Texts must not hold control characters, half surrogates (which are not UTF-8), or the byte order
# mark, which Python and JavaScript disagree about when they strip blanks. Overrides, embeddings and
# isolates of the writing direction could make one label look like another. The plain direction
# marks (U+200E, U+200F, U+061C) cannot, and honest Arabic texts need them.
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def check_pattern(value: object, pattern: re.Pattern[str], field: str, key: str) -> None:
    """Raise unless `value` is text that matches the whole pattern."""
    matches = isinstance(value, str) and pattern.fullmatch(value) is not None
    require(matches, key, field, value=value)


def check_text(value: object, field: str, required: bool = True, most: int = MAX_TEXT) -> None:
    """Raise unless `value` is text, not too long, without control characters but line breaks."""
    if not isinstance(value, str):
        raise Refusal("not_text", field, kind=canonical.type_name(value))
    require(len(value) <= most, "text_too_long", field, most=most, got=len(value))
    require(not CONTROL.search(value), "control_character", field)
    require(bool(value.strip()) or not required, "empty_text", field)


def check_labels(labels: object, low: int, high: int, field: str) -> None:
    """Raise unless `labels` is a tuple of low to high different, valid texts."""
    count = len(labels) if isinstance(labels, tuple) else 0
    require(
        low <= count <= high,
        "bad_options.few" if count < low else "bad_options.many",
        field,
        low=low,
        high=high,
        got=_count(labels),
    )
    assert isinstance(labels, tuple)
    for label in labels:
        check_text(label, field)
    require(len(set(labels)) == len(labels), "bad_options.repeated", field)


def _count(labels: object) -> str:
    return str(len(labels)) if isinstance(labels, tuple) else canonical.type_name(labels)


def check_flag(value: object, field: str) -> None:
    """Raise unless `value` is true or false."""
    require(type(value) is bool, "bad_flag", field)
