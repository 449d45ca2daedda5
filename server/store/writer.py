"""The one writer: a thread that commits whatever is queued, in as few transactions as it may.

Sets of different work never share a transaction: it would say which ticket was given as which
report came.

Nobody is answered before the commit: not the stored, not the refused, not the "same again", since
each of these may rest on a row of the same transaction. When the commit fails, all of them hear so
and the writer goes on.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Generic, TypeVar

from client.core.primitives.refusal import Refusal
from server.store.engines.connection import Connection
from server.store.engines.failures import FAILURES, is_of_the_storage

MAX_BATCH = 256
CAPACITY = 1024
# In a crowd the writer rests after each batch. Those who were answered then have the interpreter to
# themselves, and the next batch is large: its price hardly depends on its size.
REST_SECONDS = 0.005
_log = logging.getLogger("candor")
C = TypeVar("C", bound=Connection)
Item = TypeVar("Item")
T = TypeVar("T")


@dataclass
class Job:
    """Work for the writer. `alone` runs outside any transaction, as VACUUM must."""

    work: Callable[[Any], Any]
    alone: bool
    done: "Future[Any]" = field(default_factory=Future)


@dataclass
class Entry:
    """One item of a set: those that wait with the same work are handed to it together.

    The work returns for each item its result, or an exception for whoever waits for it.
    """

    work: Callable[[Any, list[Any]], Sequence[Any]]
    item: Any
    done: "Future[Any]" = field(default_factory=Future)


# What is done in one savepoint.
Part = Job | list[Entry]


class Writer(Generic[C]):
    """Owns the writing connection; all changes go through `write` and `write_in_set`."""

    def __init__(self, open_database: Callable[[], C], capacity: int = CAPACITY) -> None:
        self._open_database = open_database
        self._queue: queue.SimpleQueue[Job | Entry | None] = queue.SimpleQueue()
        self._capacity = capacity
        self._door = threading.Lock()
        self._stopped = False
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="writer")
        self._thread.start()
        opened.result()

    def write(self, work: Callable[[C], T], alone: bool = False) -> T:
        """Run `work` on the writing connection and return once its effects are on disk."""
        job = Job(work, alone)
        self._queue_up(job)
        outcome: T = job.done.result()
        return outcome

    def write_in_set(
        self, work: Callable[[C, list[Item]], Sequence[T | Exception]], item: Item, timeout: float
    ) -> T:
        """Run `work` on this and all items that wait beside it; return once that is on disk.

        What misses the timeout may still be done later: hand in only what may be repeated.
        """
        try:
            return self.start_in_set(work, item).result(timeout)
        except TimeoutError:
            raise Refusal("storage_unavailable.slow") from None

    def start_in_set(
        self, work: Callable[[C, list[Item]], Sequence[T | Exception]], item: Item
    ) -> "Future[T]":
        """Like `write_in_set`, without waiting: the result comes once it is on disk."""
        entry = Entry(work, item)
        self._queue_up(entry)
        return entry.done

    def _queue_up(self, job: Job | Entry) -> None:
        with self._door:
            if self._stopped:
                raise Refusal("storage_unavailable.shutdown")
            if self._queue.qsize() >= self._capacity:
                raise Refusal("storage_unavailable.queue")
            self._queue.put(job)

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
            batch = self._take()
            going = self._serve(db, batch)
            # A lone report, and the one after it, are not delayed.
            if len(batch) > 1:
                time.sleep(REST_SECONDS)
        db.close()

    def _take(self) -> list[Job | Entry | None]:
        """Take whatever waits, up to a limit, without a timer."""
        batch = [self._queue.get()]
        while len(batch) < MAX_BATCH:
            try:
                batch.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return batch

    def _serve(self, db: Connection, batch: list[Job | Entry | None]) -> bool:
        together: list[Job | Entry] = []
        for job in batch:
            if isinstance(job, Entry) or (job is not None and not job.alone):
                together.append(job)
                continue
            commit_all(db, together)
            together = []
            if job is None:
                return False
            _run_alone(db, job)
        commit_all(db, together)
        return True


def commit_all(db: Connection, jobs: Iterable[Job | Entry]) -> None:
    """Run jobs in few transactions, each part in a savepoint, and answer after each commit."""
    for parts in _transactions(jobs):
        _commit(db, parts)


def _transactions(jobs: Iterable[Job | Entry]) -> Iterator[list[Part]]:
    """Yield neighbouring jobs, and of the entries between jobs one set for each work."""
    for _, neighbours in groupby(jobs, type):
        alone: list[Part] = []
        sets: dict[Any, list[Entry]] = {}
        for job in neighbours:
            if isinstance(job, Job):
                alone.append(job)
            else:
                sets.setdefault(job.work, []).append(job)
        if alone:
            yield alone
        for members in sets.values():
            yield [members]


def _commit(db: Connection, parts: Sequence[Part]) -> None:
    waiting = [job for part in parts for job in ([part] if isinstance(part, Job) else part)]
    try:
        db.begin_writing(alone=any(isinstance(part, Job) for part in parts))
        outcomes = [outcome for part in parts for outcome in _attempt(db, part)]
        db.execute("COMMIT")
    except FAILURES as error:
        _log.error("storing failed: %s", type(error).__name__)
        db.roll_back()
        for job in waiting:
            job.done.set_exception(Refusal("storage_unavailable.disk"))
        return
    for job, outcome in zip(waiting, outcomes, strict=True):
        if isinstance(outcome, Exception):
            job.done.set_exception(outcome)
        else:
            job.done.set_result(outcome)


def _attempt(db: Connection, part: Part) -> Sequence[Any]:
    """Run a job or a set in a savepoint; return results, or what went wrong, in order."""
    try:
        with db.atomic():
            if isinstance(part, Job):
                return [part.work(db)]
            return part[0].work(db, [entry.item for entry in part])
    except Exception as error:
        # Disk full or an I/O error may have ended the whole transaction: no job survives it.
        if is_of_the_storage(error):
            raise
        if isinstance(part, Job) or len(part) == 1:
            return [error]
        # A fault in the code concerns one of them: each for itself, the others are stored.
        return [outcome for entry in part for outcome in _attempt(db, [entry])]


def _run_alone(db: Connection, job: Job) -> None:
    try:
        job.done.set_result(job.work(db))
    except FAILURES as error:
        _log.error("maintenance failed: %s", type(error).__name__)
        job.done.set_exception(Refusal("storage_unavailable.disk"))
    except Exception as error:
        job.done.set_exception(error)
