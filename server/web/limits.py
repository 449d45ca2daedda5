"""Limits: how many threads do slow work at once.

More threads must not wait for slow work, since they are needed for reports.
"""

import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from client.core.primitives.refusal import Refusal

# How many survey files are read and linted at once.
MOST_READING = 2
# How many readers of results are served at once, and how many more wait for a moment. More would
# read no faster, since they share one interpreter, but respondents would wait longer. All other
# threads of the server are left to respondents.
MOST_READERS, READERS_WAITING = 2, 8
READER_SECONDS = 2.0
# How many tickets are signed at once, and how many more wait for it. To sign takes the interpreter
# for milliseconds at a time, so more would only keep reports waiting.
MOST_SIGNING, SIGNING_WAITING = 2, 14
SIGNING_SECONDS = 5.0
# How many exports are written at once.
MOST_EXPORTS = 2

P = ParamSpec("P")
T = TypeVar("T")


class Limit:
    """Limit how many threads do slow work at once; answer the rest with 503.

    So many others may wait for their turn, for so many seconds.
    """

    def __init__(self, most: int, key: str, waiting: int = 0, seconds: float = 0.0) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._waiting = threading.BoundedSemaphore(waiting)
        self._seconds = seconds
        self._key = key

    def __enter__(self) -> None:
        if not (self._places.acquire(blocking=False) or self._wait()):
            raise Refusal(self._key)

    def _wait(self) -> bool:
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return self._places.acquire(timeout=self._seconds)
        finally:
            self._waiting.release()

    def __exit__(self, *_: object) -> None:
        self._places.release()

    def __call__(self, view: Callable[P, T]) -> Callable[P, T]:
        """Return the view, which then does all of its work within the limit."""

        @wraps(view)
        def limited(*args: P.args, **kwargs: P.kwargs) -> T:
            with self:
                return view(*args, **kwargs)

        return limited


READING = Limit(MOST_READING, key="reading_busy")
READERS = Limit(MOST_READERS, key="results_busy", waiting=READERS_WAITING, seconds=READER_SECONDS)
SIGNING = Limit(MOST_SIGNING, key="tickets_busy", waiting=SIGNING_WAITING, seconds=SIGNING_SECONDS)
# For tests and previews, which sign for anybody as often as they like: nobody with a personal link
# waits for those.
TEST_SIGNING = Limit(1, key="tickets_busy", waiting=SIGNING_WAITING, seconds=SIGNING_SECONDS)
EXPORTS = Limit(MOST_EXPORTS, key="export_busy")
