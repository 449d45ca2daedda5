"""Print the estimates of every question as tables: shares, means, totals, and groups below them.

No line is longer than 100 characters. Long lists show their largest shares.
"""

import csv
import io
import math
import sys
import textwrap
from pathlib import Path
from typing import Any

Row = dict[str, Any]

WIDTH = 100
MOST_OPTIONS = 20
LABEL, GROUP = 20, 10
LAYOUT = f"{{:<{LABEL}}} {{:<{GROUP}}} {{:>9}} {{:>8}}  {{:<18}} {{}}"
MARK = " !"
FLAGGED = "! No possible share lies in this interval: chance, or forged reports."


def print_estimates(folder: Path, design: Row, rows: list[Row]) -> None:
    """Print a table per question; `rows` are those of estimates.csv."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A console that cannot show some letter shows a question mark.
        sys.stdout.reconfigure(errors="replace")
    codebook = read_codebook(folder)
    percent = f"{100 * design['confidence']:g} % interval"
    for question in design["questions"]:
        id = question["question"]
        about = codebook[id]
        found = [row for row in rows if row["question"] == id]
        print("\n".join(textwrap.wrap(f"{id}: {plain(about[0]['prompt'])}", WIDTH)))
        if not found:
            print("No reports.\n")
            continue
        print(LAYOUT.format("", "group", "n", "", percent, "total").rstrip())
        labels = labels_of(question, about)
        shown = shown_rows(found)
        for row in shown:
            print(line(row, "" if row["group"] else name_of(row, labels)))
        left = len({row["option"] for row in found if row["quantity"] == "share"}) - MOST_OPTIONS
        if left > 0:
            print(f"and {left:,} options with smaller shares, see estimates.csv")
        if any(row.get("flag") for row in shown):
            print(FLAGGED)
        print()


def read_codebook(folder: Path) -> dict[str, list[Row]]:
    """Return the rows of codebook.csv by question."""
    found: dict[str, list[Row]] = {}
    with (folder / "codebook.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["question"], []).append(row)
    return found


def plain(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def labels_of(question: Row, about: list[Row]) -> list[str]:
    """Return what the options or levels stand for."""
    if "step" not in question:
        return [plain(row["label"]) for row in about]
    lo, step, unit = float(question["lo"]), float(question["step"]), plain(about[0]["unit"])
    top = question["mechanism"]["top"]
    levels = [f"{lo + step * level:.10g} {unit}".strip() for level in range(top + 1)]
    silent = [plain(row["label"]) for row in about if row["option"] and int(row["option"]) > top]
    return levels + silent


def shown_rows(rows: list[Row]) -> list[Row]:
    """Return the rows to print, groups below everybody: the largest shares, some of the levels."""
    everybody = [row for row in rows if not row["group"]]
    whole = [row for row in everybody if row["option"] == "" or row["quantity"] == "silent"]
    shares = [row for row in everybody if row["quantity"] == "share"]
    if len(shares) > MOST_OPTIONS:
        # A box that nobody was asked about has no share.
        known = (row for row in shares if not math.isnan(row["value"]))
        shares = sorted(known, key=lambda row: -row["value"])[:MOST_OPTIONS]
    levels = [row for row in everybody if row["quantity"] == "at_most"]
    levels = levels[:: math.ceil(len(levels) / MOST_OPTIONS) or 1]
    return [row for first in [*shares, *whole, *levels] for row in rows if key(row) == key(first)]


def key(row: Row) -> tuple[Any, ...]:
    return row["quantity"], row["option"]


def name_of(row: Row, labels: list[str]) -> str:
    """Return the name of a quantity, which stands before everybody's line."""
    if row["quantity"] in ("share", "silent"):
        return labels[row["option"]]
    if row["quantity"] == "at_most":
        return f"at most {labels[row['option']]}"
    return str(row["quantity"]).replace("_", " ")


def line(row: Row, label: str) -> str:
    """Return one line of a table: a quantity of everybody, or of a group."""
    low, high, value = (float(row.get(part, math.nan)) for part in ("low", "high", "value"))
    is_share = row["quantity"] in ("share", "silent", "at_most")
    text, after = (share_text, " %") if is_share else (number_text, "")
    known = math.isfinite(low) and math.isfinite(high)
    interval = f"{text(low)} to {text(high)}{after}" if known else ""
    cells = (
        *(shortened(label, LABEL), shortened(row["group"] or "everybody", GROUP), f"{row['n']:,}"),
        f"{text(value)}{after}" if math.isfinite(value) else "unknown",
        interval + (MARK if row.get("flag") else ""),
        total_text(row, low, high),
    )
    return LAYOUT.format(*cells).rstrip()


def total_text(row: Row, low: float, high: float) -> str:
    """Return the total with its interval: its own, or that of the share, in respondents."""
    total = row.get("total")
    if total is None or not math.isfinite(total):
        return ""
    ends = row.get("total_low", row["n"] * low), row.get("total_high", row["n"] * high)
    return f"{number_text(round(total))} ({' to '.join(number_text(round(end)) for end in ends)})"


def share_text(share: float) -> str:
    return f"{100 * share:.1f}"


def number_text(number: float) -> str:
    if abs(number) >= 1e6:
        return f"{number / 1e6:,.2f}m"
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4g}"


def shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
