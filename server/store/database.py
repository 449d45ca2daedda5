"""One database file: one connection that writes, a reader per thread, and rewriting it.

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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlite_utils import Database as SqliteDatabase

from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex
from server.signing.keys import SigningKeys
from server.store.schema import make_tables, require_current
from server.store.wal.damage import State, log_of, state_of_log
from server.store.writer import Writer, is_unavailable
from server.surveys.schedule import Clock, utc_now

BUSY_MILLISECONDS = 5000
SAFE_VERSION = (3, 51, 3)
# SQLite's own complaint may quote a broken text, and then cannot be read itself.
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)

_log = logging.getLogger("candor")
P = ParamSpec("P")
Item = TypeVar("Item")
T = TypeVar("T")


class Connection(SqliteDatabase):
    """A connection that knows what time it is, and the key of the audit log if it writes."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock, log_key: bytes = b"") -> None:
        super().__init__(connection)
        self._clock = clock
        self.log_key = log_key

    @property
    def now(self) -> str:
        return self._clock()


class Database:
    """One database file. Its owner holds the data folder's lock.

    Functions of the store take a connection: `reading.newest(database.reader, slug)` asks on the
    reader of this thread, `database.write(closing.close, slug)` runs in the writer's transaction.
    """

    def __init__(
        self,
        path: Path,
        clock: Clock = utc_now,
        log_key: bytes = b"",
        keys: Path | None = None,
    ) -> None:
        self._path = path
        self._clock = clock
        # In files beside it, so that no copy of the database can make tickets.
        self.keys = SigningKeys(keys or path.with_name("ticket-keys"))
        self._writer = Writer(lambda: open_writer(path, clock, log_key))
        self._readers = threading.local()
        self._memory: dict[Any, Any] = {}

    @property
    def now(self) -> str:
        return self._clock()

    @property
    def folder(self) -> Path:
        """The folder of the file, which only its owner may read."""
        return self._path.parent

    @property
    def reader(self) -> Connection:
        """Return the read-only connection of this thread."""
        if not hasattr(self._readers, "db"):
            try:
                self._readers.db = open_reader(self._path, self._clock)
            except Refusal:
                # Who reads on a page or as a device need not know where the file is.
                raise Refusal("storage_unavailable.reading") from None
        db: Connection = self._readers.db
        return db

    def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work` in a transaction of the one writer, and return once it is on disk."""
        try:
            return self._writer.write(lambda db: work(db, *args, **kwargs))
        finally:
            self._forget()

    def write_in_set(
        self,
        seconds: float,
        work: Callable[[Connection, list[Item]], Sequence[T | Exception]],
        item: Item,
    ) -> T:
        """Like `write`, for reports: `work` gets all items that wait, so that they share its cost.

        Gives up waiting after a while; the work may still be done later.
        """
        return self._writer.write_in_set(work, item, seconds)

    def start_in_set(
        self, work: Callable[[Connection, list[Item]], Sequence[T | Exception]], item: Item
    ) -> "Future[T]":
        """Like `write_in_set`, without waiting: the result comes once it is on disk."""
        return self._writer.start_in_set(work, item)

    def run_alone(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the writing connection outside any transaction, as VACUUM must."""
        try:
            return self._writer.write(work, alone=True)
        finally:
            self._forget()

    def remember(self, read: Callable[[Connection, str], T], key: str) -> T:
        """Return what `read` finds under a key, from memory until anything but a report is written.

        Only this process writes, and every change but a report goes through `write` or `run_alone`.
        """
        # Taken first: what is read while somebody writes is kept with what is forgotten.
        memory = self._memory
        if (read, key) not in memory:
            memory[read, key] = read(self.reader, key)
        found: T = memory[read, key]
        return found

    def remembered(self, read: Callable[[Connection, str], T], key: str) -> T | None:
        """Return what is in memory, without reading; None if there is nothing."""
        return self._memory.get((read, key))

    def _forget(self) -> None:
        self._memory = {}

    def rewrite_if_owed(self) -> bool:
        """Rewrite the file if that is owed; return False if a reader is in the way."""
        try:
            if is_rewriting_owed(self.reader):
                self.run_alone(rewrite)
        except Refusal:
            return False
        return True

    def empty_log(self) -> None:
        """Move the log's content into the pages, where it has no order; readers may delay this."""
        log = log_of(self._path)
        if log.exists() and log.stat().st_size:
            self.run_alone(empty_log_if_idle)

    def close(self) -> None:
        """Finish what is queued and let go of the file, which is then complete on its own."""
        with suppress(Refusal):
            self.run_alone(empty_log)
        self._writer.close()


def open_or_set_aside(
    path: Path, clock: Clock = utc_now, log_key: bytes = b"", keys: Path | None = None
) -> Database:
    """Open a database of tests. A damaged one gets another name: it must not keep surveys down."""
    try:
        return Database(path, clock, log_key, keys)
    except Refusal as refusal:
        if refusal.code != "storage_damaged":
            raise
        aside = path.with_name(f"{path.stem}-damaged-{secure_hex(1)}{path.suffix}")
        path.rename(aside)
        for end in ("-wal", "-shm"):
            path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
        _log.error("%s; it is called %s now, and tests begin anew", refusal.message, aside.name)
        return Database(path, clock, log_key, keys)


def open_writer(path: Path, clock: Clock = utc_now, log_key: bytes = b"") -> Connection:
    """Open the only connection that writes; its owner holds the data folder's lock."""
    _keep_private(path)
    _require_sound_log(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None)
    except sqlite3.Error as error:
        raise Refusal("storage_unavailable.open", path=path, reason=error) from None
    db = Connection(connection, clock, log_key)
    try:
        _configure(connection)
        connection.execute("PRAGMA synchronous = FULL")
        # Before anything is changed, since a file of an earlier Candor is refused.
        make_tables(db, log_key)
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
            path=path,
            reason=error,
        ) from None
    return db


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


def open_reader(path: Path, clock: Clock = utc_now) -> Connection:
    """Open a connection that SQLite itself keeps from writing."""
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
        )
    except sqlite3.Error as error:
        raise Refusal("storage_unavailable.open", path=path, reason=error) from None
    _configure(connection)
    return Connection(connection, clock)


def open_current_reader(path: Path) -> Connection:
    """Like `open_reader`, but refuse a file whose tables are those of an earlier Candor."""
    db = open_reader(path)
    try:
        require_current(db)
    except BaseException:
        db.close()
        raise
    return db


def mention_old_sqlite(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> None:
    """Warn at start-up if SQLite is older than the version that protects the file by itself."""
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


def faults_of_file(db: Connection) -> Iterator[str]:
    """Yield what SQLite itself finds wrong with the file and between its tables."""
    for (line,) in db.execute("PRAGMA integrity_check(20)"):
        if line != "ok":
            yield f"file: {line}"
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        yield f"{table} row {row}: its {parent} row is missing"


def owe_rewriting(db: Connection) -> None:
    db.execute("PRAGMA user_version = 1")


def is_rewriting_owed(db: Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0])


def rewrite(db: Connection) -> None:
    """Rewrite the file and empty its log. Must run outside any transaction."""
    db.execute("VACUUM")
    # After VACUUM, which writes the new file through the log.
    empty_log(db)
    db.execute("PRAGMA user_version = 0")
    empty_log(db)


def empty_log_if_idle(db: Connection) -> None:
    """Empty the log, which shows what was stored together, unless somebody is reading it."""
    (patience,) = db.execute("PRAGMA busy_timeout").fetchone()
    # Nobody who hands in a report should wait for a reader.
    db.execute("PRAGMA busy_timeout = 0")
    try:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        db.execute(f"PRAGMA busy_timeout = {patience}")


def empty_log(db: Connection) -> None:
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise Refusal("storage_unavailable.log")
