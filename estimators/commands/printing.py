"""Print the table of estimates, for every command that ends in estimates."""

from itertools import groupby
from typing import Any

import click

from client.console.printing import print_table
from estimators.tables.rows import AT_MOST, LEVEL, MEAN, MEDIAN, NET_PROMOTERS, Row

# Of a longer list the terminal shows the largest shares; JSON has them all.
MOST_ROWS = 25
MOST_LEVELS = 12
MOST_RIVALS = 5
MOST_UNEVEN = 5
NUMBERS = (MEAN, MEDIAN)


def print_estimates(result: dict[str, Any]) -> None:
    """Print every quantity with its interval, and what the columns mean."""
    rows, hidden = _select_rows(result["estimates"])
    names = [name for name in ("question", "label") if name in rows[0]]
    percent = f"{100 * result['confidence']:g} % interval"
    click.echo(f"{result['n']:,} reports")
    print_table(
        [*names, "reported", "estimate", percent, "total", "noise"],
        [(*(str(row[name]) for name in names), *_figures(row)) for row in rows],
        words=len(names),
    )
    click.echo("The interval is for the population from which the respondents come.")
    click.echo("Noise is the standard error of the total, or of the mean, among the respondents.")
    for row in result.get("leaders", []):
        click.echo(_leader_sentence(row))
    if hidden:
        click.echo(f"{hidden:,} smaller shares are not shown; --json has them.")
    if any(row["flag"] for row in result["estimates"]):
        click.echo("! No possible share lies in the interval: chance, or forged reports.")
    for draw in result.get("draws", []):
        for line in _uneven(draw):
            click.echo(line)


def _uneven(draw: Row) -> list[str]:
    """Return what the draws of honest reports would hardly give."""
    if not draw["flag"]:
        return []
    of = f"{draw['question']}: " if "question" in draw else ""
    found = [
        f"{item['label']} ({item['reports']:,} reports, {item['expected']:,.0f} expected)"
        for item in draw["uneven"][:MOST_UNEVEN]
    ]
    more = len(draw["uneven"]) - MOST_UNEVEN
    listed = ", ".join(found) + (f" and {more:,} more" if more > 0 else "")
    return [
        f"! {of}uneven {draw['drawn']}: {listed}.",
        "  Chance does this in fewer than 1 of 1,000 surveys; forged reports that are aimed do it.",
        "  Even counts prove nothing: forged reports can be spread over all of them.",
    ]


def _leader_sentence(row: Row) -> str:
    """Return a sentence that names the leader and everything that may be ahead of it."""
    start = f"{row['question']}: {row['leader']} leads"
    named, more = row["rivals"][:MOST_RIVALS], len(row["rivals"]) - MOST_RIVALS
    if named:
        start += f", but cannot be told from {', '.join(named)}"
        start += f" and {more:,} more" if more > 0 else ""
    sure = f"right with a chance of at least {row['chance']:.0%} at these shares"
    if row["max_error"] is None:
        return f"{start}; {sure}."
    return f"{start}; {sure}. No share is off by more than {row['max_error']:.2%}."


def _select_rows(rows: list[Row]) -> tuple[list[Row], int]:
    """Select the largest shares of a long list, and some cumulative shares of a fine grid.

    Return the rows to print and how many shares are left out.
    """
    shown: list[Row] = []
    hidden = 0
    blocks = groupby(rows, key=lambda row: (row.get("question"), row["quantity"]))
    for (_, quantity), group in blocks:
        block = list(group)
        if quantity == AT_MOST:
            block = _spaced(block) if len(block) > MOST_ROWS else []
        elif quantity == LEVEL and len(block) > MOST_ROWS:
            block = []
        elif len(block) > MOST_ROWS:
            hidden += len(block) - MOST_ROWS
            block = sorted(block, key=lambda row: -(row["value"] or 0.0))[:MOST_ROWS]
        shown.extend(block)
    return shown, hidden


def _spaced(block: list[Row]) -> list[Row]:
    """Return evenly spaced levels, as many as fit under a mean."""
    step = -(-len(block) // MOST_LEVELS)
    return [row | {"label": f"at most {row['label']}"} for row in block[::step]]


def _figures(row: Row) -> tuple[str, str, str, str, str]:
    if row["value"] is None:
        return ("", "-", "-", "", "")
    noise, count = row["noise_error"], row["reported_count"]
    if row["total"] is not None:
        spread = f"± {noise * row['n']:,.1f}"
    else:
        spread = "" if noise is None else f"± {_number(row, noise).lstrip('+')}"
    return (
        "" if count is None else f"{count:,}",
        _number(row, row["value"]) + (" !" if row["flag"] else ""),
        f"{_number(row, row['low'])} to {_number(row, row['high'])}",
        "" if row["total"] is None else f"{row['total']:,.1f}",
        spread,
    )


def _number(row: Row, value: float) -> str:
    if row["quantity"] in NUMBERS:
        return f"{value:,.3f}"
    if row["quantity"] == NET_PROMOTERS:
        return f"{100 * value:+.1f}"
    return f"{value:.2%}"
