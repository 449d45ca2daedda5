"""The server's timer: closes surveys and deletes reports when they are due.

What respondents and readers see does not depend on it: every request looks at the clock itself.
That can be undone when the clock was wrong; closing and deleting cannot, so they wait for a clock
that can be trusted.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from client.core.primitives.refusal import Refusal
from server.clock.trust import Trust
from server.clock.watch import ClockWatch
from server.lifecycle import ending
from server.store.database import UNREADABLE, Database

SECONDS = 15.0

_log = logging.getLogger("candor")


@contextmanager
def housekeeping_thread(
    watch: ClockWatch, *databases: Database, seconds: float = SECONDS
) -> Iterator[None]:
    """Close and delete what is due in these databases, every few seconds until the block ends."""
    stopping = threading.Event()

    def work() -> None:
        while True:
            tend(watch, *databases)
            if stopping.wait(seconds):
                return

    thread = threading.Thread(target=work, name="housekeeping")
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def tend(watch: ClockWatch, *databases: Database) -> None:
    """Do one round: close and delete if the clock can be trusted, and tidy up in any case."""
    for database in databases:
        try:
            ending.finish_due(database, watch.look() is Trust.STEADY)
        except (Refusal, OSError, *UNREADABLE):
            # Storage is unavailable; the next round tries again.
            _log.warning("cannot close or delete what is due yet; trying again later")
