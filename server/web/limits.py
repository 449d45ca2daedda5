"""Limits: how many threads do slow work at once.

More threads must not wait for slow work, since they are needed for reports.
"""

import threading

from client.core.primitives.refusal import Refusal

# How many survey files are read and linted at once.
MOST_READING = 2


class Limit:
    """Limit how many threads do slow work at once; answer the rest with 503."""

    def __init__(self, most: int, key: str) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._key = key

    def __enter__(self) -> None:
        if not self._places.acquire(blocking=False):
            raise Refusal(self._key)

    def __exit__(self, *_: object) -> None:
        self._places.release()


READING = Limit(MOST_READING, key="reading_busy")
