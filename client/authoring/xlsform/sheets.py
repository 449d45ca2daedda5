"""Read the cells of a workbook as texts, with the names that people know them by."""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from client.authoring.xlsform.package import check_package, load_openpyxl, no_workbook
from client.core.primitives.refusal import Refusal, require

MAX_ROWS, MAX_COLUMNS = 50_000, 300
SHEETS = ("survey", "choices", "settings", "groups")
# `bind::relevant` is `relevant`; `media::image` is `image`.
_SETTING = re.compile(r"^([^:(]+?)\s*\(([A-Za-z-]+)\)\s*$")
_PREFIXES = frozenset(["bind", "body", "control", "media", "instance"])


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


Unread = list[tuple[Row, Refusal]]


@dataclass(frozen=True)
class Sheets:
    """The sheets of an XLSForm, the names of all others, and the cells that cannot be read."""

    found: dict[str, Sheet]
    others: list[str]
    unread: Unread


def read_sheets(data: bytes, name: str) -> Sheets:
    """Return the sheets of a workbook; formulas are read as the values saved with them."""
    check_package(data, name)
    openpyxl = load_openpyxl()
    unread: Unread = []
    try:
        books = [
            openpyxl.load_workbook(
                io.BytesIO(data), read_only=True, keep_links=False, data_only=data_only
            )
            for data_only in (True, False)
        ]
        titles = {str(title).strip().lower(): str(title) for title in books[0].sheetnames}
        found = {
            sheet: _read_sheet(sheet, [book[titles[sheet]] for book in books], unread)
            for sheet in SHEETS
            if sheet in titles
        }
        return Sheets(found, sorted(titles.keys() - set(SHEETS)), unread)
    except Refusal:
        raise
    except Exception:
        # A damaged part can raise any error of the library.
        raise no_workbook(name) from None


def _read_sheet(name: str, views: list[Any], unread: Unread) -> Sheet:
    """Read a sheet from two views of it: one with the values of formulas, one with formulas."""
    lines = _lines(name, views, unread)
    _, first = next(lines, (1, {}))
    headings = headings_of(name, first)
    known: set[str] = set()
    for column, heading in list(headings.items()):
        if heading in known:
            # Its cells have no heading, and are named as such.
            del headings[column]
        known.add(heading)
    rows = []
    for number, texts in lines:
        cells = {headings[column]: text for column, text in texts.items() if column in headings}
        row = Row(name, number, cells)
        for column in texts.keys() - headings.keys():
            unread.append((row, Refusal("changed.no_heading", column=column)))
        rows.append(row)
    return Sheet(name, tuple(headings.values()), tuple(row for row in rows if row.cells))


def _lines(name: str, views: list[Any], unread: Unread) -> Iterator[tuple[int, dict[int, str]]]:
    for view in views:
        # The size that a sheet states may be wrong.
        view.reset_dimensions()
    tables = (view.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS + 1) for view in views)
    for number, (values, formulas) in enumerate(zip(*tables, strict=True), 1):
        require(number <= MAX_ROWS, "too_large.rows", name, most=MAX_ROWS)
        texts = {}
        for column, (cell, written) in enumerate(zip(values, formulas, strict=True), 1):
            if written.value is None:
                continue
            require(column <= MAX_COLUMNS, "too_large.columns", name, most=MAX_COLUMNS)
            try:
                text = _text(cell, written)
            except Refusal as refusal:
                unread.append((Row(name, number, {}), refusal))
                continue
            if text.strip():
                texts[column] = text
        yield number, texts


def _text(cell: Any, written: Any) -> str:
    """Return a cell's value as a person would write it."""
    value, place = cell.value, written.coordinate
    saved = value is not None or written.data_type != "f"
    require(saved, "changed.formula", cell=place)
    require(cell.data_type != "e", "changed.error", cell=place, value=value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(" ")
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return str(value)


def headings_of(sheet: str, first: Mapping[int, str]) -> dict[int, str]:
    """Fold `Label :: German (de)` to `label::German (de)`: only the column's name changes case.

    Old forms write `label:German`, which counts if no heading has two colons. In settings, where
    the standard knows neither, `form_title (de)` is the title in German.
    """
    mark = "::" if any("::" in text for text in first.values()) else ":"
    if sheet == "settings":
        first = {column: _SETTING.sub(rf"\1{mark}\2", text) for column, text in first.items()}
    return {column: _heading(text, mark) for column, text in first.items()}


def _heading(text: str, mark: str) -> str:
    parts = [part.strip() for part in text.split(mark)]
    if parts[0].lower() in _PREFIXES and len(parts) > 1:
        parts = parts[1:]
    plain = "_".join(parts[0].lower().split())
    language = mark.join(part for part in parts[1:] if part)
    return f"{plain}::{language}" if language else plain
