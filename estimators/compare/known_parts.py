"""Read known parts of a population from CSV: of the groups, or of the levels of attributes."""

from collections.abc import Sequence
from pathlib import Path

from client.core.primitives.refusal import Refusal, require
from estimators.columns.csv_table import read_table

ATTRIBUTE, LEVEL, PART = "attribute", "level", "part"


def read_parts(path: Path, by: str) -> dict[str, float]:
    """Return the part of every group, from the columns named `by` and `part`."""
    names, parts = _columns(path, (by, PART))
    return _by_name(path, names, parts)


def read_margins(path: Path) -> dict[str, dict[str, float]]:
    """Return the part of every level, from the columns `attribute`, `level` and `part`."""
    attributes, levels, parts = _columns(path, (ATTRIBUTE, LEVEL, PART))
    found: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(attributes):
        own = [place for place, attribute in enumerate(attributes) if attribute == name]
        rows = [[column[place] for place in own] for column in (levels, parts)]
        found[name] = _by_name(path, rows[0], rows[1])
    return found


def _columns(path: Path, wanted: Sequence[str]) -> list[list[str]]:
    table = read_table(path)
    for name in wanted:
        require(name in table, "unknown_column.csv", name, path=str(path), known=list(table))
    return [[cell.strip() for cell in table[name]] for name in wanted]


def _by_name(path: Path, names: Sequence[str], parts: Sequence[str]) -> dict[str, float]:
    require(len(set(names)) == len(names), "bad_parts.twice", str(path), names=sorted(names))
    found = {}
    for name, part in zip(names, parts, strict=True):
        try:
            found[name] = float(part)
        except ValueError:
            raise Refusal("bad_parts.number", str(path), level=name, text=part) from None
    return found
