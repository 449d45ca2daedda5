"""The server's own timer: what the clock has ended is closed, or deleted, with nobody looking.

Respondents and readers need no timer, since every answer looks at the clock itself.
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
def tended(*databases: Database, seconds: float = SECONDS) -> Iterator[None]:
    """Tend these databases, at once and then again and again, until the block ends."""
    stopping = threading.Event()

    def go_round() -> None:
        while True:
            for database in databases:
                _tend(database)
            if stopping.wait(seconds):
                return

    thread = threading.Thread(target=go_round, name="housekeeping")
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _tend(database: Database) -> None:
    try:
        ending.tend(database)
    except Refusal:
        # The disk has said why; the next round tries again.
        _log.warning("closing or deleting what is due has to wait")
