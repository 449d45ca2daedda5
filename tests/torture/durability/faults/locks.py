"""Another program that holds a lock on the database of a running server."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from tests.torture.durability.faults.service import Service

# Less than the server waits for a lock.
MOMENT_SECONDS = 0.3


@contextmanager
def held(service: Service, *statements: str) -> Iterator[None]:
    """Hold what these statements lock, in a process that is not the server's."""
    path = service.folder.database
    # Another thread lets go of it.
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    with closing(other):
        for statement in statements:
            other.execute(statement).fetchone()
        yield
        other.execute("ROLLBACK")


def last(service: Service) -> int:
    """Hold the lock for longer than the server waits: a device is told to try again."""
    with held(service, "BEGIN IMMEDIATE"):
        service.read()
        if (status := service.hand_in_one()) != 503:
            service.problems.append(f"a report was answered with {status} during a lock")
    return 1


def pass_by(service: Service) -> int:
    """Hold the lock for a moment, which the server waits for: nobody hears of it."""
    before = service.statuses[503]
    ready, enough = threading.Event(), threading.Event()

    def hold() -> None:
        with held(service, "BEGIN IMMEDIATE"):
            ready.set()
            enough.wait(MOMENT_SECONDS)

    other = threading.Thread(target=hold)
    other.start()
    ready.wait()
    service.live()
    other.join()
    if service.statuses[503] != before:
        service.problems.append("a lock of a moment was not waited for")
    return 1


def read(service: Service) -> int:
    """Read for a while, as a copy of the file does: reports are taken meanwhile."""
    before = service.statuses[503]
    with held(service, "BEGIN", "SELECT count(*) FROM reports"):
        service.send_new("habits")
        service.read()
    if service.statuses[503] != before:
        service.problems.append("a reader keeps reports out")
    return 1
