"""The files of the folder, and the counts of one question in them."""

import csv
import json
from pathlib import Path
from typing import Any

from analysis.counting import Array, tally

Row = dict[str, Any]


def read_design(folder: Path) -> Row:
    design: Row = json.loads((folder / "design.json").read_text("utf-8"))
    return design


def read_reports(folder: Path) -> list[dict[str, str]]:
    with (folder / "reports.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def counted(question: Row, reports: list[dict[str, str]], group: str) -> tuple[Array, int]:
    """Counts and number of the reports of a group; '' is everybody."""
    id = question["question"]
    return tally(question, [row[id] for row in reports if group in ("", row["_group"])])
