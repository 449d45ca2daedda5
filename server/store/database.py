"""One database: one connection that writes, others that read, and what is remembered of it.

Where it is and which engine keeps it is a `Place`; a path stands for a file of SQLite.
"""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex
from server.signing.keys import SigningKeys
from server.store.engines.connection import Connection as Connection
from server.store.engines.connection import Place
from server.store.engines.failures import UNREADABLE as UNREADABLE
from server.store.engines.sqlite import SqliteFile
from server.store.schema import make_tables, require_current
from server.store.writer import Writer
from server.surveys.schedule import Clock, utc_now

_log = logging.getLogger("candor")
P = ParamSpec("P")
Item = TypeVar("Item")
T = TypeVar("T")


class Database:
    """One database and its writer. The owner of a file holds the data folder's lock.

    Functions of the store take a connection: `reading.newest(database.reader, slug)` asks on the
    reader of this thread, `database.write(closing.close, slug)` runs in the writer's transaction.
    """

    def __init__(
        self,
        place: Path | Place,
        clock: Clock = utc_now,
        log_key: bytes = b"",
        keys: Path | None = None,
    ) -> None:
        self._place = place_of(place)
        self._clock = clock
        # In files beside it, so that no copy of the database can make tickets.
        self.keys = SigningKeys(keys or self._place.folder / "ticket-keys")
        self._writer = Writer(lambda: open_writer(self._place, clock, log_key))
        self._readers = self._place.readers(clock)
        self._memory: dict[Any, Any] = {}

    @property
    def now(self) -> str:
        return self._clock()

    @property
    def folder(self) -> Path:
        """A folder that only its owner may read."""
        return self._place.folder

    @property
    def reader(self) -> Connection:
        """Return the read-only connection of this thread."""
        try:
            return self._readers.current()
        except Refusal:
            # Who reads on a page or as a device need not know where the file is.
            raise Refusal("storage_unavailable.reading") from None

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
        """Rewrite what is stored if that is owed; return False if a reader is in the way."""
        try:
            if self.reader.is_rewriting_owed():
                self.run_alone(lambda db: db.rewrite())
        except Refusal:
            return False
        return True

    def empty_log(self) -> None:
        """Move the log's content into the pages, where it has no order; readers may delay this."""
        if self._place.has_log():
            self.run_alone(lambda db: db.empty_log_if_idle())

    def close(self) -> None:
        """Finish what is queued and let go; a file is then complete on its own."""
        with suppress(Refusal):
            self.run_alone(lambda db: db.empty_log())
        self._writer.close()


def place_of(place: Path | Place) -> Place:
    """Return the place that a path stands for."""
    return SqliteFile(place) if isinstance(place, Path) else place


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


def open_writer(place: Path | Place, clock: Clock = utc_now, log_key: bytes = b"") -> Connection:
    """Open a connection that writes, with all tables."""
    return place_of(place).open_writer(partial(make_tables, log_key=log_key), clock, log_key)


def open_reader(place: Path | Place, clock: Clock = utc_now) -> Connection:
    """Open a connection that the engine itself keeps from writing."""
    return place_of(place).open_reader(clock)


def open_current_reader(place: Path | Place) -> Connection:
    """Like `open_reader`, but refuse tables of an earlier Candor."""
    db = open_reader(place)
    try:
        require_current(db)
    except BaseException:
        db.close()
        raise
    return db
