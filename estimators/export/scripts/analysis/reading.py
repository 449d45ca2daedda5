"""Read the files of the folder, and count the reports of one question."""

import csv
import json
from pathlib import Path
from typing import Any

from analysis.counting import Array, tally

Row = dict[str, Any]


def read_design(folder: Path) -> Row:
    """Read design.json."""
    design: Row = json.loads((folder / "design.json").read_text("utf-8"))
    return design


def read_reports(folder: Path) -> list[dict[str, str]]:
    """Read reports.csv as one dictionary per report."""
    with (folder / "reports.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def counted(question: Row, reports: list[dict[str, str]], group: str) -> tuple[Array, int]:
    """Return the counts and the number of the reports of a group; '' is everybody."""
    id = question["question"]
    # A survey without groups has no such column.
    rows = [row for row in reports if group in ("", row.get("group"))]
    return tally(question, [row[id] for row in rows])
