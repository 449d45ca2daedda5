"""Sentences below a table of estimates: leaders, forged reports, uneven draws, foreign designs."""

from collections.abc import Iterator
from itertools import groupby
from textwrap import fill
from typing import Any

from estimators.tables.rows import MEAN, SILENT, Row

# Lines are at most this long.
WIDTH = 100
MOST_LEADERS = 6
MOST_UNEVEN = 5
_NO_MEAN = (
    "No mean and no quantiles: the share of people who gave a number may be 0, and then every mean "
    "is possible."
)
_MOVED = {MEAN: "the mean", SILENT: "the share of an option for silence"}


def remarks(result: dict[str, Any]) -> Iterator[str]:
    """Yield what a reader of the table must know beside it."""
    for row in result.get("leaders", []):
        yield fill(_of(row) + _leader_sentence(row), WIDTH)
    for _, rows in groupby(result.get("forging", []), lambda row: row.get("question")):
        listed = list(rows)
        for quantity in dict.fromkeys(row["quantity"] for row in listed):
            alike = [row for row in listed if row["quantity"] == quantity]
            yield fill(_forging_sentence(alike), WIDTH)
    for row in result["estimates"]:
        if row["quantity"] == MEAN and row["value"] is None and row["total"] is not None:
            yield fill(_of(row) + _NO_MEAN, WIDTH)
    for design in result.get("designs", []):
        yield from _design_sentences(design)
    if any(row["flag"] for row in result["estimates"]):
        yield "! No possible share lies in the interval: chance, or forged reports."
    for draw in result.get("draws", []):
        yield from _uneven(draw)


def _of(row: Row) -> str:
    return f"{row['question']}: " if "question" in row else ""


def _leader_sentence(row: Row) -> str:
    """Say which options may have the largest share, and how far any share can be off."""
    sure, best = f"{100 * row['confidence']:g} % confidence", row["best"]
    if len(best) == 1:
        sentence = f"{best[0]} has the largest share ({sure})."
    elif len(best) <= MOST_LEADERS:
        listed = f"{', '.join(best[:-1])} or {best[-1]}"
        sentence = f"With {sure} the largest share is that of {listed}."
    else:
        sentence = f"With {sure} the largest share is that of one of {len(best):,} options."
    # An error of a whole share or more says nothing.
    if row["max_error"] is None or row["max_error"] >= 1:
        return sentence
    return f"{sentence} No share is off by more than {row['max_error']:.2%} ({sure})."


def _forging_sentence(rows: list[Row]) -> str:
    """Say how far forged reports that are aimed can move such an estimate of this question."""
    blocks = (list(block) for _, block in groupby(rows, lambda row: row["part"]))
    worst = [max(block, key=lambda row: row["move"]) for block in blocks]
    (first, *more), n = worst, rows[0]["reports"]
    what = _MOVED.get(first["quantity"], "a share")
    further = "".join(f"; if {row['forged_of_all']:,}, {_move(row)}" for row in more)
    forged = f"{first['forged_of_all']:,} of the {n:,} reports were forged"
    if not first["aimed"]:
        # They cannot choose what a report is about, but which of their links they use.
        forged = f"{first['forged_of_all']:,} personal links were in the hands of forgers"
    return (
        f"{_of(first)}If {forged}, {what} could move {_move(first)}{further}. "
        "--json has each range."
    )


def _move(row: Row) -> str:
    if row["quantity"] == MEAN:
        return f"by up to {row['move']:,.3f}"
    return "to any value" if row["move"] >= 1 else f"by up to {100 * row['move']:.1f} points"


def _design_sentences(design: Row) -> Iterator[str]:
    """Say how a column was randomized, and how many rows lack a report to it."""
    name = design["question"]
    if "matrix" in design:
        chances = ""
        if len(design["reports"]) == len(design["truths"]) == 2:
            report = design["reports"][1]
            pairs = zip(design["truths"], design["matrix"][1], strict=True)
            chances = "".join(f"P({report} | {truth}) = {chance:.6g}, " for truth, chance in pairs)
        certain = "epsilon infinite: some answers are certain"
        epsilon = certain if design["certain"] else f"epsilon {design['epsilon']:.4g}"
        yield f"{name}: {chances}{epsilon}"
    if missing := design["missing"]:
        yield f"{name}: {missing:,} {'row holds' if missing == 1 else 'rows hold'} no report."


def _uneven(draw: Row) -> list[str]:
    """Return what the draws of honest reports would hardly give."""
    if not draw["flag"]:
        return []
    found = [
        f"{item['label']} ({item['reports']:,} reports, {item['expected']:,.0f} expected)"
        for item in draw["uneven"][:MOST_UNEVEN]
    ]
    more = len(draw["uneven"]) - MOST_UNEVEN
    listed = ", ".join(found) + (f" and {more:,} more" if more > 0 else "")
    return [
        f"! {_of(draw)}uneven {draw['drawn']}: {listed}.",
        "  Chance does this in fewer than 1 of 1,000 surveys; forged reports that are aimed do it.",
        "  Even counts prove nothing: forged reports can be spread over all of them.",
    ]
