"""Doors before work that takes its time: few are let in at once, the others try again later.

More threads must not wait there, since they are needed for reports.
"""

import threading

from client.core.primitives.refusal import Refusal


class Door:
    """`with door:` lets in as many as may be inside, and refuses whoever would be one too many."""

    def __init__(self, most: int, code: str, busy: str) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._code, self._busy = code, busy

    def __enter__(self) -> None:
        if not self._places.acquire(blocking=False):
            raise Refusal(self._code, f"{self._busy}; try again in a moment")

    def __exit__(self, *_: object) -> None:
        self._places.release()


# Where survey files are read and looked through.
MOST_READING = 2
READING = Door(MOST_READING, "reading_busy", "too many survey files are being read")
