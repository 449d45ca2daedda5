"""What tests do that only one engine can: look at SQLite's own connection."""

import sqlite3
from pathlib import Path

from server.store.database import Connection, open_writer
from server.store.engines.sqlite import SqliteConnection


def sqlite(db: Connection) -> sqlite3.Connection:
    """Return the connection behind a connection of the store."""
    assert isinstance(db, SqliteConnection)
    return db.conn


def sqlite_writer(path: Path) -> SqliteConnection:
    db = open_writer(path)
    assert isinstance(db, SqliteConnection)
    return db
