"""Print a cross-table for people: cells, shares of rows or columns, and sentences."""

from collections.abc import Callable, Sequence
from textwrap import fill

import click

from client.console.printing import print_table
from estimators.cross.table import Cell, CrossTable, Estimate, Ratio
from estimators.cross.words import ends_text, sentences

ROWS, COLUMNS = "rows", "columns"
# So many columns fit into 100 letters; more continue below.
MOST_COLUMNS = 4
LINE, LABEL, HEADING = 100, 22, 15
# Smaller errors of shares are only rounding.
LEAST_ERROR = 1e-9


def print_cross(table: CrossTable, shares: str = ROWS) -> None:
    """Print all of a table; `shares` says whether those of rows or of columns are printed."""
    _say(f"{table.first} by {table.second}: {table.n:,} reports answer both")
    about = sorted({cell.n for cell in table.cells})
    if len(about) > 1:
        click.echo(f"Each cell comes from {about[0]:,} to {about[-1]:,} of them.")
    if table.means:
        _print_means(table)
    else:
        _print_cells(table)
        _print_shares(table, shares)
    for sentence in sentences(table):
        _say(sentence)


def _say(sentence: str) -> None:
    click.echo(fill(sentence, LINE, break_long_words=False, break_on_hyphens=False))


def _print_cells(table: CrossTable) -> None:
    margins = [_with_error(margin.share) for margin in table.column_margins]
    ends = [_with_error(margin.share) for margin in table.row_margins]
    click.echo("\nShares of all people, in per cent ± standard error")
    _print_blocks(table, lambda cell: _with_error(cell.share), ends, margins)
    if table.silence is not None:
        click.echo(f"{table.silence:.1%} answered with an option that is in no row and no column.")


def _print_shares(table: CrossTable, shares: str) -> None:
    of = {ROWS: "row", COLUMNS: "column"}[shares]
    click.echo(f"Shares of each {of}, in per cent with {100 * table.confidence:g} % interval")
    chosen = [cell.row_share if shares == ROWS else cell.column_share for cell in table.cells]
    _print_blocks(
        table,
        lambda cell: _share(cell.row_share if shares == ROWS else cell.column_share),
    )
    if any(share.value is None for share in chosen):
        click.echo(
            f"? No number can be given: the {of} may be empty, or its reports are all alike."
        )


def _print_blocks(
    table: CrossTable,
    text: Callable[[Cell], str],
    ends: Sequence[str] = (),
    last: Sequence[str] = (),
) -> None:
    """Print the columns in blocks that fit; the margins are the last column and the last row."""
    columns = [_short(label, HEADING) for label in table.columns] + (["all"] if ends else [])
    rows = [
        [_short(label, LABEL), *map(text, cells), *ends[place : place + 1]]
        for place, (label, cells) in enumerate(zip(table.rows, table.grid, strict=True))
    ]
    if last:
        rows.append(["all", *last, ""])
    for start in range(0, len(columns), MOST_COLUMNS + bool(ends)):
        block = slice(start + 1, start + 1 + MOST_COLUMNS + bool(ends))
        headings = columns[start : start + MOST_COLUMNS + bool(ends)]
        print_table(["", *headings], [[row[0], *row[block]] for row in rows], words=1)


def _print_means(table: CrossTable) -> None:
    percent = f"{100 * table.confidence:g} % interval"
    rows = [
        (
            _short(group.label, LABEL),
            _with_error(margin.share),
            "?" if group.mean.value is None else f"{group.mean.value:,.2f}",
            ends_text(group.mean, lambda value: f"{value:,.2f}"),
        )
        for group, margin in zip(table.means, table.row_margins, strict=True)
    ]
    if table.mean is not None and table.mean.value is not None:
        whole = Ratio(table.mean.value, table.mean.low, table.mean.high)
        ends = ends_text(whole, lambda value: f"{value:,.2f}")
        rows.append(("all", "", f"{table.mean.value:,.2f}", ends))
    print_table(["", "% of people", f"mean {table.second}", percent], rows, words=1)
    if any(group.mean.value is None for group in table.means):
        click.echo("? No number can be given: the row may be empty, or its reports are all alike.")


def _with_error(share: Estimate) -> str:
    if share.value is None or share.standard_error is None:
        return "-"
    # Reports that are all alike show no error, and have one.
    error = f"{100 * share.standard_error:.1f}" if share.standard_error > LEAST_ERROR else "?"
    # Adding 0 makes a plain zero out of minus zero.
    return f"{round(100 * share.value, 1) + 0.0:.1f} ± {error}"


def _share(share: Ratio) -> str:
    if share.value is None:
        return "?"
    return f"{round(100 * share.value)} ({ends_text(share, lambda value: f'{round(100 * value)}')})"


def _short(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1] + "…"
