"""The beginning of a fingerprint, which people with a short link compare with their letter."""

import re

from client.core.primitives.refusal import require

# With fewer, somebody could make two documents that begin alike.
COMPARED_DIGITS = 32


def first_digits(fingerprint: str) -> str:
    """Return what people compare, in groups of four."""
    return " ".join(re.findall("....", fingerprint[:COMPARED_DIGITS]))


def require_expected(fingerprint: str, expected: str) -> None:
    """Raise unless the fingerprint begins with these digits, of which there must be enough."""
    digits = "".join(expected.split()).lower()
    require(
        re.fullmatch(rf"[0-9a-f]{{{COMPARED_DIGITS},64}}", digits) is not None,
        "bad_fingerprint.expected",
        "--expect",
        least=COMPARED_DIGITS,
        got=expected,
    )
    require(
        fingerprint.startswith(digits),
        "unexpected_fingerprint",
        "--expect",
        fingerprint=fingerprint,
        expected=digits,
    )
