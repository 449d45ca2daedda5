"""Read and write the expressions of the columns constraint and parameters."""

import re
from decimal import Decimal

from client.core.primitives.values import PLAIN, decimal_text

_BOUND = re.compile(r"\.\s*(>=|<=|>|<)\s*(-?[0-9.]+)")
_COUNT = re.compile(r"count-selected\(\s*\.\s*\)\s*(<=|<)\s*([0-9]{1,4})")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def write_bounds(lo: str, hi: str) -> str:
    return f". >= {lo} and . <= {hi}"


def read_bounds(text: str, whole: bool) -> tuple[str, str] | None:
    """Return the least and the greatest number; None for any other expression."""
    bounds: dict[str, str] = {}
    for part in _parts(_AND, text):
        match = _BOUND.fullmatch(part)
        if match is None or match[1][0] in bounds or not PLAIN.fullmatch(match[2]):
            return None
        bounds[match[1][0]] = _inclusive(match[1], match[2], whole)
    return (bounds[">"], bounds["<"]) if len(bounds) == 2 and all(bounds.values()) else None


def _inclusive(sign: str, number: str, whole: bool) -> str:
    """Return an inclusive bound: `> 0` is `>= 1` for whole numbers; others have no such bound."""
    if "=" in sign:
        return number
    step = 1 if sign == ">" else -1
    return decimal_text(Decimal(number) + step) if whole and "." not in number else ""


def write_count(at_most: str) -> str:
    return f"count-selected(.) <= {at_most}"


def read_count(text: str) -> str | None:
    """Return how many boxes may be ticked; None for any other expression."""
    match = _COUNT.fullmatch(_bare(text))
    if match is None:
        return None
    return str(int(match[2]) - (match[1] == "<"))


def read_parameters(text: str) -> dict[str, str] | None:
    """Read `start=0 end=10 step=1`, separated by spaces, commas or semicolons."""
    pairs = [part.partition("=") for part in re.split(r"[\s,;]+", text.strip()) if part]
    if any(not mark or not value for _, mark, value in pairs):
        return None
    return {name.lower(): value for name, _, value in pairs}


def _parts(between: re.Pattern[str], text: str) -> list[str]:
    return [_bare(part) for part in between.split(_bare(text))]


def _bare(text: str) -> str:
    """Return the text without outer spaces and without one pair of brackets around it."""
    plain = text.strip()
    inner = plain[1:-1]
    wrapped = plain.startswith("(") and plain.endswith(")") and not set("()") & set(inner)
    return inner.strip() if wrapped else plain
