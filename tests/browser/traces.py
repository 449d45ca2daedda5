"""What a respondent leaves at the server: new lines in its log, new rows in its tables."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tests.browser.server_process import ServerProcess

# Its table, the names of its columns, and their values.
_Name = tuple[str, tuple[str, ...], tuple[Any, ...]]


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
        self._known = {name for name, _ in self._rows()}

    def take(self) -> Trace:
        """The news since the last call."""
        log = self._log.read_bytes()[self._read :]
        self._read += len(log)
        # A tally has thousands of rows: only the few new ones become objects.
        new = {name: place for name, place in self._rows() if name not in self._known}
        self._known |= new.keys()
        rows = [
            Row(table, place, dict(zip(columns, values, strict=True)))
            for (table, columns, values), place in new.items()
        ]
        return Trace(log.decode().splitlines(), rows)

    def _rows(self) -> Iterator[tuple[_Name, float]]:
        """All rows of all tables, each table in its own order, and how far down each stands."""
        with closing(sqlite3.connect(self._database, uri=True)) as db:
            tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            for (table,) in tables:
                found = db.execute(f"SELECT * FROM {table}")
                columns = tuple(name for name, *_ in found.description)
                rows = found.fetchall()
                for i, values in enumerate(rows):
                    yield (table, columns, values), i / len(rows)
