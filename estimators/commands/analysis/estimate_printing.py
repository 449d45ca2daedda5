"""Print the table of estimates. Long labels are cut so that a line fits; JSON has them whole."""

from itertools import groupby
from typing import Any

import click

from client.console.printing import print_table
from estimators.commands.analysis.cross_printing import print_cross
from estimators.commands.analysis.estimate_remarks import WIDTH, remarks
from estimators.tables.level_rows import AT_MOST, GROUPED, LEVEL, PROFILE, QUANTILES
from estimators.tables.rows import MEAN, NET_PROMOTERS, Row

# Of a longer list the terminal shows the largest shares; JSON has them all.
MOST_ROWS = 25
NUMBERS = (MEAN, *QUANTILES)
# Totals of more reports are printed without decimals.
MOST_WITH_DECIMALS = 1000
SHORTEST_LABEL = 12
# A smaller error of a total, per report, is only rounding.
LEAST_ERROR = 1e-9
UNKNOWN = "?"


def print_estimates(result: dict[str, Any]) -> None:
    """Print every quantity with its interval, and what the columns mean."""
    tables = result.get("cross_tables", {})
    rows, hidden = _select_rows(
        [row for row in result["estimates"] if row.get("question") not in tables]
    )
    click.echo(_counted(result))
    if rows:
        _print_rows(rows, _headings(result))
    for group, block in groupby(result.get("groups", []), lambda row: row["group"]):
        shown, _ = _select_rows(list(block))
        click.echo(f"\n{result['by']} {group}:")
        print_table(_headings(result), _cut_labels(_headings(result), _lines(shown)), words=1)
    for id, table in tables.items():
        click.echo(f"\n{id}:")
        print_cross(table)
    if hidden:
        click.echo(f"{hidden:,} smaller shares are not shown; --json has them.")
    for sentence in remarks(result):
        click.echo(sentence)


def _counted(result: dict[str, Any]) -> str:
    """Return how many reports there are; in somebody else's data, how many rows."""
    what = "row" if "designs" in result else "report"
    return f"{result['n']:,} {what}{'' if result['n'] == 1 else 's'}"


def _headings(result: dict[str, Any]) -> list[str]:
    percent = f"{100 * result['confidence']:g} % interval"
    return ["label", "reported", "estimate", percent, "total ± error", percent]


def _print_rows(rows: list[Row], headings: list[str]) -> None:
    print_table(headings, _cut_labels(headings, _lines(rows)), words=1)
    click.echo("The intervals are for the population from which the respondents come.")
    click.echo("A total is a number of people, or the sum behind a mean, ± its standard error.")
    if any(_total(row)[0].endswith(UNKNOWN) for row in rows):
        click.echo("± ?: the reports are too much alike to show an error; the interval has it.")
    if any(row["method"] == GROUPED for row in rows):
        click.echo("Of many levels, neighbours are grouped for quantiles and shares up to a level.")
    if any(row["method"] in (PROFILE, GROUPED) and row["low"] is None for row in rows):
        click.echo("Quantiles and shares up to a level have an interval at 95 % confidence only.")


def _lines(rows: list[Row]) -> list[list[str]]:
    """Return the table: a line per row and, if there are several questions, one above each."""
    blocks = [(id, list(block)) for id, block in groupby(rows, lambda row: row.get("question", ""))]
    lines: list[list[str]] = []
    for id, block in blocks:
        figures = [[str(row["label"]), *_figures(row)] for row in block]
        if len(blocks) > 1:
            lines.append([id, *[""] * (len(figures[0]) - 1)])
            figures = [[f"  {label}", *others] for label, *others in figures]
        lines.extend(figures)
    return lines


def _cut_labels(headings: list[str], lines: list[list[str]]) -> list[list[str]]:
    """Cut the labels, which come first, so that a line fits into WIDTH."""
    _, *others = zip(headings, *lines, strict=True)
    # One space at either end of the line, and three between two columns.
    rest = sum(max(map(len, column)) for column in others) + 3 * len(others)
    most = max(WIDTH - 2 - rest, SHORTEST_LABEL)
    return [
        [label if len(label) <= most else f"{label[: most - 1]}…", *figures]
        for label, *figures in lines
    ]


def _select_rows(rows: list[Row]) -> tuple[list[Row], int]:
    """Select the largest shares of a long list, and of levels what has an interval.

    Return the rows to print and how many shares are left out.
    """
    shown: list[Row] = []
    hidden = 0
    blocks = groupby(rows, key=lambda row: (row.get("question"), row["quantity"]))
    for (_, quantity), group in blocks:
        block = list(group)
        if quantity == AT_MOST:
            block = [row | {"label": f"at most {row['label']}"} for row in block]
        elif quantity == NET_PROMOTERS:
            block = [row | {"label": "net promoters"} for row in block]
        elif quantity == LEVEL:
            block = []
        elif len(block) > MOST_ROWS:
            hidden += len(block) - MOST_ROWS
            block = sorted(block, key=lambda row: -(row["value"] or 0.0))[:MOST_ROWS]
        shown.extend(block)
    return shown, hidden


def _figures(row: Row) -> tuple[str, str, str, str, str]:
    if row["value"] is None:
        return ("", "-", "-", *_total(row))
    count = row["reported_count"]
    return (
        "" if count is None else f"{count:,}",
        _number(row, row["value"]) + (" !" if row["flag"] else ""),
        _interval(row),
        *_total(row),
    )


def _total(row: Row) -> tuple[str, str]:
    """Return the total with its standard error, and its interval."""
    if row["total"] is None:
        return "", ""
    digits = 1 if row["n"] <= MOST_WITH_DECIMALS else 0
    total, error, low, high = (
        f"{row[name]:,.{digits}f}"
        for name in ("total", "total_standard_error", "total_low", "total_high")
    )
    # Reports that are all alike show no error, and have one.
    is_known = row["total_standard_error"] > LEAST_ERROR * row["n"]
    return f"{total} ± {error if is_known else UNKNOWN}", f"{low} to {high}"


def _interval(row: Row) -> str:
    if row["low"] is None:
        return "-"
    return f"{_number(row, row['low'])} to {_number(row, row['high'])}"


def _number(row: Row, value: float) -> str:
    if row["quantity"] in NUMBERS:
        return f"{value:,.3f}"
    if row["quantity"] == NET_PROMOTERS:
        return f"{100 * value:+.1f}"
    return f"{value:.2%}"
