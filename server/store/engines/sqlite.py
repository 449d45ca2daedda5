"""SQLite: one file, one connection that writes, a reader per thread, and rewriting the file.

Answers of 201 mean "on disk", hence `synchronous=FULL`: with NORMAL the write-ahead log loses
acknowledged rows at a power cut.

The file is rewritten so that no page remembers an order or a row that was deleted. That this is
owed stands in the file itself, in the transaction that made it necessary: a crash, or a reader
that is in the way, only puts it off.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlite_utils import Database as SqliteDatabase
from sqlite_utils import Migrations

from client.core.primitives.refusal import Refusal
from server.store.engines.connection import Connection, MakeTables
from server.store.engines.failures import UNREADABLE, is_unavailable
from server.store.wal.damage import State, log_of, state_of_log
from server.surveys.schedule import Clock

BUSY_MILLISECONDS = 5000
SAFE_VERSION = (3, 51, 3)

_log = logging.getLogger("candor")


class SqliteConnection(SqliteDatabase):
    """A connection to a file."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock, log_key: bytes = b"") -> None:
        super().__init__(connection)
        self._clock = clock
        self.log_key = log_key

    @property
    def now(self) -> str:
        return self._clock()

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        return int(self.conn.executemany(sql, rows).rowcount)

    def is_empty(self) -> bool:
        return not set(self.table_names()) - {Migrations.migrations_table}

    def pending(self, steps: Migrations) -> list[str]:
        return [step.name for step in steps.pending(self)]

    def make(self, steps: Migrations) -> None:
        steps.apply(self)

    def begin_writing(self, alone: bool) -> None:
        """Begin a transaction; here there is only one writer, who is always alone."""
        # IMMEDIATE: a deferred transaction that reads first can fail when it starts to write.
        self.execute("BEGIN IMMEDIATE")

    def roll_back(self) -> None:
        try:
            self.rollback()
        except sqlite3.Error as error:
            _log.error("rolling back failed: %s", type(error).__name__)

    def owe_rewriting(self) -> None:
        self.execute("PRAGMA user_version = 1")

    def is_rewriting_owed(self) -> bool:
        return bool(self.execute("PRAGMA user_version").fetchone()[0])

    def rewrite(self) -> None:
        """Rewrite the file and empty its log. Must run outside any transaction."""
        self.execute("VACUUM")
        # After VACUUM, which writes the new file through the log.
        self.empty_log()
        self.execute("PRAGMA user_version = 0")
        self.empty_log()

    def empty_log_if_idle(self) -> None:
        """Empty the log, which shows what was stored together, unless somebody is reading it."""
        (patience,) = self.execute("PRAGMA busy_timeout").fetchone()
        # Nobody who hands in a report should wait for a reader.
        self.execute("PRAGMA busy_timeout = 0")
        try:
            self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            self.execute(f"PRAGMA busy_timeout = {patience}")

    def empty_log(self) -> None:
        busy, _, _ = self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise Refusal("storage_unavailable.log")

    def faults(self) -> Iterator[str]:
        """Yield what SQLite itself finds wrong with the file and between its tables."""
        for (line,) in self.execute("PRAGMA integrity_check(20)"):
            if line != "ok":
                yield f"file: {line}"
        for table, row, parent, _ in self.execute("PRAGMA foreign_key_check"):
            yield f"{table} row {row}: its {parent} row is missing"


class ThreadReaders:
    """A reader for each thread, opened when it is first needed."""

    def __init__(self, file: "SqliteFile", clock: Clock) -> None:
        self._file, self._clock = file, clock
        self._of_thread = threading.local()

    def current(self) -> Connection:
        if not hasattr(self._of_thread, "db"):
            self._of_thread.db = self._file.open_reader(self._clock)
        db: SqliteConnection = self._of_thread.db
        return db


@dataclass(frozen=True)
class SqliteFile:
    """The file of a database. Its owner holds the data folder's lock."""

    path: Path

    @property
    def folder(self) -> Path:
        return self.path.parent

    def open_writer(
        self, make_tables: MakeTables, clock: Clock, log_key: bytes
    ) -> SqliteConnection:
        """Open the only connection that writes."""
        _keep_private(self.path)
        _require_sound_log(self.path)
        try:
            connection = sqlite3.connect(self.path, isolation_level=None)
        except sqlite3.Error as error:
            raise Refusal("storage_unavailable.open", path=self.path, reason=error) from None
        db = SqliteConnection(connection, clock, log_key)
        try:
            _configure(connection)
            connection.execute("PRAGMA synchronous = FULL")
            # As other engines have them.
            connection.create_function("sha256", 1, _sha256, deterministic=True)
            connection.create_function("encode", 2, _encode, deterministic=True)
            # Before anything is changed, since a file of an earlier Candor is refused.
            make_tables(db)
            connection.execute("PRAGMA journal_mode = WAL")
            # Where a file cannot be opened for writing, SQLite opens it for reading, and stays so.
            connection.execute("DELETE FROM surveys WHERE 0")
        except Refusal:
            connection.close()
            raise
        except UNREADABLE as error:
            connection.close()
            raise Refusal(
                "storage_unavailable.open" if is_unavailable(error) else "storage_damaged.database",
                path=self.path,
                reason=error,
            ) from None
        return db

    def open_reader(self, clock: Clock) -> SqliteConnection:
        """Open a connection that SQLite itself keeps from writing."""
        try:
            connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
            )
        except sqlite3.Error as error:
            raise Refusal("storage_unavailable.open", path=self.path, reason=error) from None
        _configure(connection)
        return SqliteConnection(connection, clock)

    def readers(self, clock: Clock) -> ThreadReaders:
        return ThreadReaders(self, clock)

    def has_log(self) -> bool:
        log = log_of(self.path)
        return log.exists() and log.stat().st_size > 0

    def log_faults(self) -> list[str]:
        """Say if the log is damaged: nothing else shows that what it held is missing."""
        log = log_of(self.path)
        try:
            is_damaged = state_of_log(self.path) is State.DAMAGED
        except OSError as error:
            return [f"{log} cannot be read: {error.strerror}"]
        return [Refusal("storage_damaged.log", path=log).message] if is_damaged else []


def mention_old_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """Warn at start-up if SQLite is older than the version that protects the file by itself."""
    if version < SAFE_VERSION:
        _log.warning(
            "SQLite is %s here, older than %s: that is fine as long as no other tool writes to "
            "the database while Candor runs.",
            ".".join(map(str, version)),
            ".".join(map(str, SAFE_VERSION)),
        )


def _keep_private(path: Path) -> None:
    """Let only the owner read the file, whatever folder it is in; its log gets the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        for file in (path, *(path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm"))):
            if file.exists() and file.stat().st_mode & 0o077:
                file.chmod(0o600)
    except OSError as error:
        raise Refusal("storage_unavailable.open", path=path, reason=error.strerror) from None


def _require_sound_log(path: Path) -> None:
    """Raise if the log is damaged: SQLite would write over what it cannot read of it."""
    try:
        state = state_of_log(path)
    except OSError as error:
        raise Refusal("storage_unavailable.open", path=path, reason=error.strerror) from None
    if state is State.DAMAGED:
        raise Refusal("storage_damaged.log", path=log_of(path))
    if state is State.CUT:
        _log.warning(
            "the end of %s cannot be read and is dropped. After a power cut this is normal: nobody "
            "was told that it was stored. Otherwise the disk may be damaged.",
            log_of(path).name,
        )


def _sha256(data: bytes) -> bytes:
    return sha256(data).digest()


def _encode(data: bytes, form: str) -> str:
    return {"hex": data.hex()}[form]


def _configure(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
