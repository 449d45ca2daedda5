"""TORTURE.md: the last outcome of every row, each with its day, seed and machine."""

import re
from dataclasses import astuple, dataclass
from pathlib import Path

from tests.torture.row import Outcome, Row

PAGE = Path(__file__).resolve().parents[2] / "TORTURE.md"
_INTRODUCTION = """# Torture

`make torture` writes this page. Each row was run at full scale on the day that it names;
`python -m tests.torture ROW ...` runs only some rows and keeps the others. A figure that falls
short stands here as it is, with the reason. `make test` runs every row at a small scale.

| row | what was tried | figure | goal | reached | day, seed, machine |
| --- | --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Line:
    """One row of the page, as it is printed."""

    name: str
    title: str
    figure: str
    goal: str
    reached: str
    run: str


def line(row: Row, outcome: Outcome, run: str) -> Line:
    """Return the printed row; a figure that falls short says why."""
    reached = "yes" if outcome.met else "**no**"
    if outcome.reason:
        reached += f": {outcome.reason}"
    return Line(row.name, row.title, outcome.figure, row.goal, reached, run)


def read(text: str) -> dict[str, Line]:
    """Return the rows of a page by name."""
    cells = re.findall(
        r"^\| (\S+) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.MULTILINE
    )
    return {found[0]: Line(*found) for found in cells if found[0] not in ("row", "---")}


def write(lines: dict[str, Line], order: list[str]) -> str:
    """Return the page: known rows in their order; a row that nobody runs any more is left out."""
    kept = [lines[name] for name in order if name in lines]
    return _INTRODUCTION + "".join(f"| {' | '.join(astuple(line))} |\n" for line in kept)


def record(path: Path, found: Line, order: list[str]) -> None:
    """Put one row into the page and keep the others."""
    lines = read(path.read_text()) if path.exists() else {}
    path.write_text(write({**lines, found.name: found}, order))
