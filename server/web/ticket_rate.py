"""How many tickets the open link of a survey gives per hour."""

import threading
import time
from collections import Counter
from collections.abc import Callable

from client.core.primitives.refusal import Refusal


class TicketRate:
    """Counts the tickets of the last hour, by survey and minute; only in memory, about nobody."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_minute: dict[int, Counter[int]] = {}
        self._door = threading.Lock()

    def count(self, survey: int, per_hour: int | None) -> None:
        """Count a ticket; raise if the survey has given as many as it may in an hour."""
        if per_hour is None:
            return
        minute = int(self._clock() // 60)
        with self._door:
            counts = self._by_minute.setdefault(survey, Counter())
            for old in [there for there in counts if there < minute - 60]:
                del counts[old]
            if counts.total() >= per_hour:
                raise Refusal("too_many_now", minutes=min(counts) + 61 - minute)
            counts[minute] += 1
