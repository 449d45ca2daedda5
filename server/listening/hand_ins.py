"""Hand-ins that wait for their commit without a thread.

To check a report takes less time than to wake a thread for it. So the loop's own thread checks it
and passes it to the writer. When a batch is on disk the loop answers all of it. If a thread waited
for each report, every commit would wake a crowd of threads that all ask for the interpreter.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from client.core.primitives.refusal import Refusal
from server.lifecycle.hand_in import HAND_IN_SECONDS
from server.respondents.lane import Reply, ReportLane, refused, reply_to


@dataclass(frozen=True, eq=False)
class _Waiting:
    channel: Any
    until: float
    outcome: "Future[bool]"


class HandIns:
    """The hand-ins that are being stored. `wake` is called when some of them can be answered."""

    def __init__(self, lane: ReportLane | None, wake: Callable[[], None]) -> None:
        self._lane = lane
        self._wake = wake
        # Oldest first.
        self._waiting: dict[_Waiting, None] = {}
        self._done: deque[_Waiting] = deque()

    @property
    def count(self) -> int:
        return len(self._waiting)

    def start(self, channel: Any) -> bool:
        """Begin a connection's next request, without waiting; False if it needs a thread."""
        request = channel.requests[0]
        if self._lane is None or request.error or not self._lane.is_for(request.path):
            return False
        outcome = self._lane.start(channel.task_class(channel, request).get_environment())
        if outcome is None:
            return False
        waiting = _Waiting(channel, time.monotonic() + HAND_IN_SECONDS, outcome)
        self._waiting[waiting] = None
        outcome.add_done_callback(lambda _: self._note(waiting))
        return True

    def _note(self, waiting: _Waiting) -> None:
        """Note that a hand-in is done; the writer's thread calls this."""
        self._done.append(waiting)
        self._wake()

    def replies(self) -> Iterator[tuple[Any, Reply | None]]:
        """Yield connections that can be answered, and their replies; None if it needs a thread."""
        while self._done:
            waiting = self._done.popleft()
            # Unless it was given up.
            if waiting in self._waiting:
                del self._waiting[waiting]
                yield waiting.channel, reply_to(waiting.outcome)
        now = time.monotonic()
        while self._waiting:
            oldest = next(iter(self._waiting))
            if oldest.until > now:
                return
            del self._waiting[oldest]
            yield oldest.channel, refused(Refusal("storage_unavailable.slow"))
