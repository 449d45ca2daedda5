"""What a respondent leaves at the server: new lines in its log, new rows in its tables."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tests.browser.server_process import ServerProcess


@dataclass(frozen=True)
class Row:
    """A row that is new or has changed, and how far down it stands in its table, from 0 to 1."""

    table: str
    place: float
    columns: dict[str, Any]


@dataclass(frozen=True)
class Trace:
    """What has come since the look before."""

    log: list[str]
    rows: list[Row]


class Traces:
    """Looks at the log and the database of a server again and again."""

    def __init__(self, server: ServerProcess) -> None:
        self._log = server.log
        self._read = len(self._log.read_bytes())
        self._database = f"{(server.data / 'candor.db').as_uri()}?mode=ro"
        self._known = {_name(row) for row in self._rows()}

    def take(self) -> Trace:
        """The news since the last call."""
        log = self._log.read_bytes()[self._read :]
        self._read += len(log)
        rows = [row for row in self._rows() if _name(row) not in self._known]
        self._known |= {_name(row) for row in rows}
        return Trace(log.decode().splitlines(), rows)

    def _rows(self) -> list[Row]:
        """All rows of all tables, each table in its own order."""
        with closing(sqlite3.connect(self._database, uri=True)) as db:
            tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            return [row for (table,) in tables for row in _rows_of(db, table)]


def _rows_of(db: sqlite3.Connection, table: str) -> list[Row]:
    found = db.execute(f"SELECT * FROM {table}")
    columns = [name for name, *_ in found.description]
    rows = found.fetchall()
    return [
        Row(table, i / len(rows), dict(zip(columns, row, strict=True)))
        for i, row in enumerate(rows)
    ]


def _name(row: Row) -> str:
    return f"{row.table} {row.columns}"
