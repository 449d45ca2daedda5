"""Opening the database file: one connection that writes, any number that can only read.

Answers of 201 mean "on disk", hence `synchronous=FULL`: with NORMAL the write-ahead log loses
acknowledged rows at a power cut.
"""

import logging
import sqlite3
from pathlib import Path

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal
from server.store.schema import migrations

BUSY_MILLISECONDS = 5000
SAFE_VERSION = (3, 51, 3)

_log = logging.getLogger("candor")


def open_writer(path: Path) -> Database:
    """The only connection that writes or checkpoints; its owner holds the data folder's lock."""
    connection = sqlite3.connect(path, isolation_level=None)
    db = Database(connection)
    try:
        _configure(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        migrations.apply(db)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise Refusal(
            "storage_damaged", f"the database {path} cannot be used: {error}; see candor verify"
        ) from None
    return db


def open_reader(path: Path) -> Database:
    """A connection that SQLite itself keeps from writing."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
    )
    _configure(connection)
    return Database(connection)


def open_current_reader(path: Path) -> Database:
    """The same where no writer has brought the file up to date."""
    db = open_reader(path)
    if migrations.pending(db):
        db.close()
        raise Refusal(
            "old_database",
            "the database was written by an earlier Candor; candor serve brings it up to date",
            "data",
        )
    return db


def mention_old_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """Say at start-up what protects the file where SQLite itself does not."""
    if version < SAFE_VERSION:
        _log.warning(
            "SQLite is %s here, older than %s: that is fine as long as no other tool writes to "
            "the database while Candor runs.",
            ".".join(map(str, version)),
            ".".join(map(str, SAFE_VERSION)),
        )


def _configure(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
