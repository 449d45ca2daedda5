"""Write a survey's sheets as the bytes of a workbook; the same survey gives the same bytes."""

import io
import zipfile
from datetime import datetime
from typing import Any

from client.authoring.xlsform.kinds import Cells
from client.authoring.xlsform.package import load_openpyxl
from client.authoring.xlsform.writing import Writing
from client.console.files import LONG_AGO, plain_entry

WIDEST = 60


def write_workbook(draft: dict[str, Any]) -> bytes:
    """Return an XLSForm that reads back as the same survey; raise if the draft is invalid."""
    writing = Writing(draft)
    openpyxl = load_openpyxl()
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in writing.sheets().items():
        _fill(book.create_sheet(name), writing.headings(name, rows), rows)
    return _bytes_of(book)


def _fill(sheet: Any, headings: list[str], rows: list[Cells]) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    table = [dict(zip(headings, headings, strict=True)), *rows]
    for number, cells in enumerate(table, 1):
        for column, heading in enumerate(headings, 1):
            if heading in cells:
                cell = sheet.cell(number, column)
                cell.value = cells[heading]
                # Text stays text even if it begins like a formula.
                cell.data_type = "s"
    for column, heading in enumerate(headings, 1):
        sheet.cell(1, column).font = Font(bold=True)
        widest = max(len(cells.get(heading, "")) for cells in table)
        sheet.column_dimensions[get_column_letter(column)].width = min(widest + 2, WIDEST)
    sheet.freeze_panes = "A2"


def _bytes_of(book: Any) -> bytes:
    from openpyxl.writer.excel import ExcelWriter

    book.properties.creator = "Candor"
    book.properties.created = book.properties.modified = datetime(*LONG_AGO)
    draft = io.BytesIO()
    with zipfile.ZipFile(draft, "w") as archive:
        ExcelWriter(book, archive).write_data()
    return _without_times(draft)


def _without_times(draft: io.BytesIO) -> bytes:
    finished = io.BytesIO()
    with zipfile.ZipFile(draft) as parts, zipfile.ZipFile(finished, "w") as archive:
        for part in parts.infolist():
            archive.writestr(plain_entry(part.filename), parts.read(part))
    return finished.getvalue()
