"""How often somebody may guess: counted before any hashing starts, in memory, in bounded room."""

import threading
import time
from collections import deque
from collections.abc import Callable

from client.refusal import Refusal

SECONDS = 900.0
# Wrong guesses in that time: for one name, and for all together.
PER_NAME = 10
OVERALL = 300


class Throttle:
    """Remembers the wrong guesses of the last quarter of an hour, and no right one.

    There are never more than OVERALL of them: the guess after that waits, whoever makes it.
    """

    def __init__(
        self,
        per_name: int = PER_NAME,
        overall: int = OVERALL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_name = per_name
        self._overall = overall
        self._clock = clock
        self._guesses: deque[tuple[float, str]] = deque()
        self._door = threading.Lock()

    def begin(self, name: str) -> None:
        """Count a guess as wrong until it turns out right: guesses at once are all counted."""
        with self._door:
            now = self._clock()
            while self._guesses and self._guesses[0][0] <= now - SECONDS:
                self._guesses.popleft()
            mine = [when for when, guessed in self._guesses if guessed == name]
            if len(mine) >= self._per_name:
                raise _wait(mine[0] + SECONDS - now)
            if len(self._guesses) >= self._overall:
                raise _wait(self._guesses[0][0] + SECONDS - now)
            self._guesses.append((now, name))

    def forgive(self, name: str) -> None:
        """The guess was right: its name begins anew."""
        with self._door:
            self._guesses = deque(guess for guess in self._guesses if guess[1] != name)


def _wait(seconds: float) -> Refusal:
    minutes = int(seconds // 60) + 1
    return Refusal(
        "too_many_attempts",
        f"too many wrong passwords; try again in {minutes} minute{'s' if minutes > 1 else ''}",
    )
