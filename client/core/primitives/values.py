"""The plain values in a survey: exact decimals with one spelling each, and checked texts.

A decimal is never a float. Every text is data for people, never markup.
"""

import re
from decimal import Decimal

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require

PLAIN = re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?")


def parse_decimal(text: object, what: str, field: str | None = None) -> Decimal:
    """A plain decimal such as -2.5: no exponent, at most six decimals."""
    if not isinstance(text, str) or not PLAIN.fullmatch(text):
        raise Refusal("not_a_decimal", field or what, what=what, text=text)
    # Adding zero turns a negative zero into the plain one.
    return Decimal(text) + 0


def decimal_text(value: Decimal) -> str:
    """The one spelling of a decimal: no exponent, no trailing zeros."""
    return f"{value.normalize():f}"


MAX_TEXT = 2000
# Control characters never belong in a text; neither do half surrogates, which are not UTF-8, nor
# the byte order mark, which is blank in one of our languages and not in the other. Overrides,
# embeddings and isolates of the writing direction could make one label look like another; the
# plain marks of it (U+200E, U+200F, U+061C), which honest Arabic texts need, cannot.
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def check_pattern(value: object, pattern: re.Pattern[str], field: str, key: str) -> None:
    """A short name with a fixed alphabet."""
    matches = isinstance(value, str) and pattern.fullmatch(value) is not None
    require(matches, key, field, value=value)


def check_text(value: object, field: str, required: bool = True) -> None:
    """A text for people: not empty, not endless, no control characters but the line break."""
    if not isinstance(value, str):
        raise Refusal("not_text", field, kind=canonical.kind(value))
    require(len(value) <= MAX_TEXT, "text_too_long", field, most=MAX_TEXT, got=len(value))
    require(not CONTROL.search(value), "control_character", field)
    require(bool(value.strip()) or not required, "empty_text", field)


def check_labels(labels: object, low: int, high: int, field: str) -> None:
    """Different labels, as many as a kind of question can have."""
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
    return str(len(labels)) if isinstance(labels, tuple) else canonical.kind(labels)
