"""Read the cells of a workbook as texts, with the names that people know them by."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from client.authoring.xlsform.package import check_package, load_openpyxl, no_workbook
from client.core.primitives.refusal import Refusal, require, within

MAX_ROWS, MAX_COLUMNS = 50_000, 300
SHEETS = ("survey", "choices", "settings", "groups")


@dataclass(frozen=True)
class Row:
    """The filled cells of one row, by heading."""

    sheet: str
    number: int
    cells: Mapping[str, str]

    def place(self, column: str | None = None) -> str:
        where = f"{self.sheet}, row {self.number}"
        return where if column is None else f"{where}, column {column}"

    def placed(self, refusal: Refusal) -> Refusal:
        """Give a refusal the place of this row, or of the column that its path names."""
        column = str(refusal.path[0]) if refusal.path else None
        refusal.path = (self.sheet, self.number, *refusal.path)
        refusal.names = (self.place(column),)
        return refusal


@dataclass(frozen=True)
class Sheet:
    """A table with headings in its first row."""

    name: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]


def read_sheets(data: bytes, name: str) -> tuple[dict[str, Sheet], list[str]]:
    """Return the sheets of an XLSForm, and the names of all other sheets."""
    check_package(data, name)
    openpyxl = load_openpyxl()
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
        titles = {str(title).strip().lower(): str(title) for title in book.sheetnames}
        found = {
            sheet: _read_sheet(sheet, book[titles[sheet]]) for sheet in SHEETS if sheet in titles
        }
        return found, sorted(titles.keys() - set(SHEETS))
    except Refusal:
        raise
    except Exception:
        # A damaged part can raise any error of the library.
        raise no_workbook(name) from None


def _read_sheet(name: str, sheet: Any) -> Sheet:
    # The size that a sheet states may be wrong.
    sheet.reset_dimensions()
    lines = enumerate(sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS + 1), 1)
    texts = ((number, _texts(name, number, line)) for number, line in lines)
    _, first = next(texts, (1, {}))
    headings = {column: _heading(text) for column, text in first.items()}
    if len(set(headings.values())) < len(headings):
        raise Row(name, 1, {}).placed(Refusal("bad_workbook.heading"))
    rows = [Row(name, number, _headed(name, number, cells, headings)) for number, cells in texts]
    return Sheet(name, tuple(headings.values()), tuple(row for row in rows if row.cells))


def _heading(text: str) -> str:
    """Fold `Label :: German (de)` to `label::German (de)`: only the column's name changes case."""
    base, _, language = text.partition("::")
    plain = base.strip().lower().replace(" ", "_")
    return f"{plain}::{language.strip()}" if language else plain


def _headed(
    sheet: str, number: int, cells: Mapping[int, str], headings: Mapping[int, str]
) -> dict[str, str]:
    for column in cells:
        if column not in headings:
            row = Row(sheet, number, {})
            raise row.placed(Refusal("bad_workbook.no_heading", column=column))
    return {headings[column]: text for column, text in cells.items()}


def _texts(sheet: str, number: int, line: Any) -> dict[int, str]:
    require(number <= MAX_ROWS, "too_large.rows", sheet, most=MAX_ROWS)
    found = {}
    for column, cell in [(i, cell) for i, cell in enumerate(line, 1) if cell.value is not None]:
        if (text := _text(sheet, number, cell)) != "":
            require(column <= MAX_COLUMNS, "too_large.columns", sheet, most=MAX_COLUMNS)
            found[column] = text
    return found


def _text(sheet: str, number: int, cell: Any) -> str:
    """Return a cell's value as a person would write it."""
    value = cell.value
    with within(sheet, cell.coordinate, name=f"{sheet}, cell {cell.coordinate}"):
        require(cell.data_type != "f", "formula")
        require(isinstance(value, str | int | float | datetime), "bad_cell.kind")
        require(cell.data_type != "e", "bad_cell.error", value=value)
        if isinstance(value, datetime):
            require(value.time() == time(), "bad_cell.time")
            return value.date().isoformat()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return str(value)
