"""One database file: one connection that writes, a reader per thread, and rewriting it.

Answers of 201 mean "on disk", hence `synchronous=FULL`: with NORMAL the write-ahead log loses
acknowledged rows at a power cut.

The file is rewritten so that no page remembers an order or a row that was deleted. That this is
owed stands in the file itself, in the transaction that made it necessary: a crash, or a reader
that is in the way, only puts it off.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal
from server.store.schema import make_tables, require_current
from server.store.writer import Writer

BUSY_MILLISECONDS = 5000
SAFE_VERSION = (3, 51, 3)

_log = logging.getLogger("candor")


def open_writer(path: Path) -> Database:
    """The only connection that writes or checkpoints; its owner holds the data folder's lock."""
    connection = sqlite3.connect(path, isolation_level=None)
    db = Database(connection)
    try:
        _configure(connection)
        connection.execute("PRAGMA synchronous = FULL")
        # Before anything is changed, since a file of an earlier Candor is refused.
        make_tables(db)
        connection.execute("PRAGMA journal_mode = WAL")
    except Refusal:
        connection.close()
        raise
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
    """Like `open_reader`, but refuse a file whose tables are those of an earlier Candor."""
    db = open_reader(path)
    try:
        require_current(db)
    except BaseException:
        db.close()
        raise
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


def owe_rewriting(db: Database) -> None:
    db.execute("PRAGMA user_version = 1")


def is_rewriting_owed(db: Database) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0])


def rewrite(db: Database) -> None:
    """Must run outside any transaction."""
    db.execute("VACUUM")
    # After VACUUM, which writes the new file through the log.
    empty_log(db)
    db.execute("PRAGMA user_version = 0")
    empty_log(db)


def empty_log_if_idle(db: Database) -> None:
    """The log shows what was stored together; it is emptied unless somebody is reading it."""
    (patience,) = db.execute("PRAGMA busy_timeout").fetchone()
    # Nobody who hands in a report should wait for a reader.
    db.execute("PRAGMA busy_timeout = 0")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    db.execute(f"PRAGMA busy_timeout = {patience}")


def empty_log(db: Database) -> None:
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise Refusal("storage_unavailable", "a reader keeps the log from being emptied")


T = TypeVar("T")


class StoreFile:
    """Shared by all that keep their rows in it. Its owner holds the data folder's lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = Writer(lambda: open_writer(path))
        self._readers = threading.local()

    def close(self) -> None:
        """Finish what is queued and let go of the file, which is then complete on its own."""
        with suppress(Refusal):
            self._writer.write(empty_log, alone=True)
        self._writer.close()

    def write(
        self, work: Callable[[Database], T], alone: bool = False, timeout: float | None = None
    ) -> T:
        """Run `work` in a transaction of the one writer, and return once it is on disk."""
        return self._writer.write(work, alone, timeout)

    @property
    def reader(self) -> Database:
        """One read-only connection per thread."""
        if not hasattr(self._readers, "db"):
            self._readers.db = open_reader(self._path)
        db: Database = self._readers.db
        return db

    def empty_log(self) -> None:
        """What is in the log goes into the pages, where it has no order; readers may delay it."""
        log = self._path.with_name(f"{self._path.name}-wal")
        if log.exists() and log.stat().st_size:
            self.write(empty_log_if_idle, alone=True)

    def rewrite_if_owed(self) -> bool:
        """Whether the file is clean; if something is in the way, the caretaker tries again."""
        try:
            if is_rewriting_owed(self.reader):
                self.write(rewrite, alone=True)
        except Refusal:
            return False
        return True
