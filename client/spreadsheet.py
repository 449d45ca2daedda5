"""Tables as CSV that a spreadsheet can only read: no cell of text can start a formula."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def harmless(value: Any) -> Any:
    """The same, but a text that a spreadsheet would run gets an apostrophe in front."""
    runs = isinstance(value, str) and value.startswith(_STARTS) and not _NUMBER.fullmatch(value)
    return f"'{value}" if runs else value


def csv_text(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], ending: str = "\r\n"
) -> str:
    """A heading and a line per row; what a row lacks is empty, what is in no column left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=ending)
    writer.writerow(columns)
    writer.writerows([harmless(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()
