"""One database file: its one writer, a reader per thread, and the rewriting that may be owed."""

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal
from server.store import rewriting
from server.store.connection import open_reader, open_writer
from server.store.writer import Writer

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
            self._writer.write(rewriting.empty_log, alone=True)
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
            self.write(rewriting.empty_log_if_idle, alone=True)

    def rewrite_if_owed(self) -> bool:
        """Whether the file is clean; if something is in the way, the caretaker tries again."""
        try:
            if rewriting.is_owed(self.reader):
                self.write(rewriting.rewrite, alone=True)
        except Refusal:
            return False
        return True
