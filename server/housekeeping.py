"""The server's timer: closes surveys and deletes reports when they are due.

What respondents and readers see does not depend on it: every request looks at the clock itself.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from client.core.primitives.refusal import Refusal
from server.lifecycle import ending
from server.store.database import Database

SECONDS = 15.0

_log = logging.getLogger("candor")


@contextmanager
def housekeeping_thread(*databases: Database, seconds: float = SECONDS) -> Iterator[None]:
    """Close and delete what is due in these databases, every few seconds until the block ends."""
    stopping = threading.Event()

    def work() -> None:
        while True:
            for database in databases:
                _finish_due(database)
            if stopping.wait(seconds):
                return

    thread = threading.Thread(target=work, name="housekeeping")
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _finish_due(database: Database) -> None:
    try:
        ending.finish_due(database)
    except Refusal:
        # Storage is unavailable; the next round tries again.
        _log.warning("cannot close or delete what is due yet; trying again later")
