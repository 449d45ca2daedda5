"""The one writer: a thread that commits whatever is queued, as one transaction.

Nobody is answered before the commit: not the stored, not the refused, not the "same again", since
each of these may rest on a row of the same transaction. When the commit fails, all of them hear so
and the writer goes on.
"""

import logging
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal

MAX_BATCH = 256
CAPACITY = 1024

_log = logging.getLogger("candor")
C = TypeVar("C", bound=Database)
T = TypeVar("T")


@dataclass
class Job:
    """Work for the writer. `alone` runs outside any transaction, as VACUUM must."""

    work: Callable[[Any], Any]
    alone: bool
    done: "Future[Any]" = field(default_factory=Future)


class Writer(Generic[C]):
    """Owns the writing connection; all changes go through `write`."""

    def __init__(self, open_database: Callable[[], C], capacity: int = CAPACITY) -> None:
        self._open_database = open_database
        self._queue: queue.Queue[Job | None] = queue.Queue(capacity)
        self._door = threading.Lock()
        self._stopped = False
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="writer")
        self._thread.start()
        opened.result()

    def write(self, work: Callable[[C], T], alone: bool = False, timeout: float | None = None) -> T:
        """Run `work` on the writing connection and return once its effects are on disk.

        Work that misses `timeout` may still be done later: give one only to work that may be
        repeated.
        """
        job = Job(work, alone)
        with self._door:
            if self._stopped:
                raise Refusal("storage_unavailable.shutdown")
            try:
                self._queue.put_nowait(job)
            except queue.Full:
                raise Refusal("storage_unavailable.queue") from None
        try:
            outcome: T = job.done.result(timeout)
        except TimeoutError:
            raise Refusal("storage_unavailable.slow") from None
        return outcome

    def close(self) -> None:
        """Finish what is queued, then stop. Later work is refused."""
        with self._door:
            first, self._stopped = not self._stopped, True
        if first:
            self._queue.put(None)
        self._thread.join()

    def _run(self, opened: "Future[None]") -> None:
        try:
            db = self._open_database()
        except BaseException as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        going = True
        while going:
            going = self._serve(db, self._take())
        db.close()

    def _take(self) -> list[Job | None]:
        """Take whatever waits, up to a limit, without a timer: a lone report is not delayed."""
        batch = [self._queue.get()]
        while len(batch) < MAX_BATCH:
            try:
                batch.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return batch

    def _serve(self, db: Database, batch: list[Job | None]) -> bool:
        together: list[Job] = []
        for job in batch:
            if job is not None and not job.alone:
                together.append(job)
                continue
            commit_together(db, together)
            together = []
            if job is None:
                return False
            _run_alone(db, job)
        commit_together(db, together)
        return True


def commit_together(db: Database, jobs: list[Job]) -> None:
    """Run all jobs in one transaction, each in a savepoint, and answer after the commit."""
    if not jobs:
        return
    try:
        # IMMEDIATE: a deferred transaction that reads first can fail when it starts to write.
        db.execute("BEGIN IMMEDIATE")
        outcomes = [_attempt(db, job) for job in jobs]
        db.execute("COMMIT")
    except sqlite3.Error as error:
        _log.error("storing failed: %s", type(error).__name__)
        _roll_back(db)
        for job in jobs:
            job.done.set_exception(Refusal("storage_unavailable.disk"))
        return
    for job, (result, refused) in zip(jobs, outcomes, strict=True):
        if refused is None:
            job.done.set_result(result)
        else:
            job.done.set_exception(refused)


def _attempt(db: Database, job: Job) -> tuple[Any, Exception | None]:
    try:
        with db.atomic():
            return job.work(db), None
    except sqlite3.OperationalError:
        # Disk full or an I/O error may have ended the whole transaction: no job survives it.
        raise
    except Exception as error:
        return None, error


def _run_alone(db: Database, job: Job) -> None:
    try:
        job.done.set_result(job.work(db))
    except sqlite3.Error as error:
        _log.error("maintenance failed: %s", type(error).__name__)
        job.done.set_exception(Refusal("storage_unavailable.disk"))
    except Exception as error:
        job.done.set_exception(error)


def _roll_back(db: Database) -> None:
    try:
        db.rollback()
    except sqlite3.Error as error:
        _log.error("rolling back failed: %s", type(error).__name__)
