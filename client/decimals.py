"""Decimals as people write them: exact, with one spelling each, never a float."""

import re
from decimal import Decimal

from client.refusal import Refusal

PLAIN = re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?")


def parse_decimal(text: object, what: str, field: str | None = None) -> Decimal:
    """A plain decimal such as -2.5: no exponent, at most six decimals."""
    if not isinstance(text, str) or not PLAIN.fullmatch(text):
        raise Refusal(
            "not_a_decimal",
            f"{what} must be a plain decimal such as 0.5, with at most six decimals, "
            f"got {str(text)[:40]!r}",
            field or what,
        )
    # Adding zero turns a negative zero into the plain one.
    return Decimal(text) + 0


def decimal_text(value: Decimal) -> str:
    """The one spelling of a decimal: no exponent, no trailing zeros."""
    return f"{value.normalize():f}"
