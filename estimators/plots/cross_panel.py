"""A cross-table as plain numbers to draw: shares as a shaded grid, means as intervals."""

from dataclasses import dataclass

from estimators.cross.table import CrossTable, Ratio


@dataclass(frozen=True)
class CrossPanel:
    """What to draw. `entries` go row by row, with one entry per row if they are means.

    An entry with the value None may be about nobody and has no number. `note` is for a figure with
    intervals, `bare_note` for one whose columns are too narrow for them.
    """

    title: str
    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    entries: tuple[tuple[Ratio, ...], ...]
    are_means: bool
    note: str
    bare_note: str


def cross_panel(table: CrossTable, by_columns: bool = False) -> CrossPanel:
    """Return the shares of the rows, or of the columns, or the means of a number."""
    reports = f"{table.n:,} reports"
    interval = f"{100 * table.confidence:g} % intervals, {reports}"
    if table.means:
        return CrossPanel(
            f"Mean of {table.second} by {table.first}",
            table.first,
            table.second,
            table.rows,
            (),
            tuple((group.mean,) for group in table.means),
            True,
            interval,
            reports,
        )
    return CrossPanel(
        f"{table.first} by {table.second}",
        table.first,
        table.second,
        table.rows,
        table.columns,
        tuple(
            tuple(cell.column_share if by_columns else cell.row_share for cell in cells)
            for cells in table.grid
        ),
        False,
        f"per cent of each {'column' if by_columns else 'row'}, with {interval}",
        f"per cent of each {'column' if by_columns else 'row'}, {reports}",
    )
