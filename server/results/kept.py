"""What was computed once and is kept for the next reader: figures, and drawings of them.

A snapshot never changes, and what is computed from it is a function of its tally alone. So nothing
here is ever out of date, and nothing is lost when the server stops: it is computed again. Whoever
waits while others compute looks again before computing.
"""

import pickle
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from server.web.limits import Limit

T = TypeVar("T")

# Rows as bytes take a hundredth of what they take as dictionaries: about 10 kB for 1,001 levels.
MOST_BYTES = 2**25
# How many readers wait for what others are having computed, and how long. More threads must not
# wait, since reports need them.
MOST_WAITING = 8
WAIT_SECONDS = 5.0


class Kept:
    """Values by key, the least recently used dropped first. One is computed at a time."""

    def __init__(self, computing: Limit, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._values: OrderedDict[Hashable, bytes] = OrderedDict()
        self._size = 0
        # How many values have been computed.
        self.computed = 0
        self._door = threading.Lock()
        # Raises if too many wait, or for too long.
        self._computing = computing

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the value of a key, computed if it is not kept; raise if others take too long."""
        found = self._find(key)
        if found is None:
            with self._computing:
                # Somebody else may have computed it meanwhile.
                found = self._find(key)
                if found is None:
                    found = zlib.compress(pickle.dumps(compute()), level=1)
                    self.computed += 1
                    self._keep(key, found)
        value: T = pickle.loads(zlib.decompress(found))
        return value

    def _find(self, key: Hashable) -> bytes | None:
        with self._door:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def _keep(self, key: Hashable, value: bytes) -> None:
        with self._door:
            self._values[key] = value
            self._size += len(value)
            while self._size > self._most:
                _, dropped = self._values.popitem(last=False)
                self._size -= len(dropped)


KEPT = Kept(Limit(1, key="results_busy", waiting=MOST_WAITING, seconds=WAIT_SECONDS))
