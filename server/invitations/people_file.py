"""The list of people to invite: CSV as spreadsheets write it; read here, and stored nowhere."""

import codecs
import csv
import io
from dataclasses import dataclass

from client.core.primitives.refusal import Refusal, require, within

MOST_PEOPLE = 10_000
MOST_BYTES = 10_000_000
SEPARATORS = (",", ";", "\t")
FIELD = "people"


@dataclass(frozen=True)
class People:
    """The cells of the list as they are. Rows are numbered as in a spreadsheet."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    separator: str = ","

    def __len__(self) -> int:
        return len(self.rows)

    def cells(self, column: str) -> list[str]:
        """Return one column; raise if there is none of that name."""
        known = list(self.columns)
        require(column in known, "unknown_column.people", FIELD, column=column, known=known)
        place = self.columns.index(column)
        return [row[place] for row in self.rows]


def read_people(data: bytes) -> People:
    """Read a list in UTF-8, UTF-16 or Windows-1252, with commas, semicolons or tabs."""
    require(len(data) <= MOST_BYTES, "too_large.bytes", FIELD, most=MOST_BYTES)
    text = _decoded(data)
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        columns = tuple(cell.strip() for cell in next(reader, []))
        distinct = len(set(columns)) == len(columns) > 0 and "" not in columns
        require(distinct, "bad_csv.heading", FIELD)
        numbered = [(number, tuple(row)) for number, row in enumerate(reader, start=2)]
    except csv.Error as error:
        line = reader.line_num
        raise Refusal("bad_csv.syntax", FIELD, name=FIELD, line=line, reason=error) from None
    kept = [(number, row) for number, row in numbered if any(cell.strip() for cell in row)]
    require(bool(kept), "no_people", FIELD)
    require(len(kept) <= MOST_PEOPLE, "too_many_people", FIELD, most=MOST_PEOPLE)
    for number, row in kept:
        with within(name=f"row {number}"):
            fits = len(row) == len(columns)
            require(fits, "bad_csv.cells", FIELD, wanted=len(columns), got=len(row))
    numbers, rows = zip(*kept, strict=True)
    return People(columns, rows, numbers, separator)


def _decoded(data: bytes) -> str:
    """Return the text; a byte-order mark tells its encoding, and old spreadsheets write none."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            reason = error.reason
    raise Refusal("bad_csv.encoding", FIELD, reason=reason)


def _separator(text: str) -> str:
    """Return the separator that makes most columns of the first line."""
    first = next(iter(text.splitlines()), "")

    def columns(separator: str) -> int:
        return len(next(csv.reader([first], delimiter=separator), []))

    return max(SEPARATORS, key=columns)


def unnamed_people(count: int, group: str) -> People:
    """Return a list of people of whom nothing is known but the group of their links."""
    return People(("group",), ((group,),) * count, tuple(range(2, count + 2)))
