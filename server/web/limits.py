"""Limits: how many threads do slow work at once, and how often a password may be guessed.

More threads must not wait for slow work, since they are needed for reports.
"""

import threading
import time
from collections import deque
from collections.abc import Callable

from client.core.primitives.refusal import Refusal

# How many survey files are read and linted at once.
MOST_READING = 2
# How long a wrong guess is remembered.
GUESS_SECONDS = 900.0
# Wrong guesses in that time: of one guesser (a name, or a known browser), and of all together.
PER_GUESSER = 10
OVERALL = 300
# A browser is known only after a right password: so many cannot be had in that time.
OVERALL_OF_DEVICES = 30_000


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


class Throttle:
    """Counts the wrong guesses of the last quarter of an hour.

    There are never more than `overall` of them: further guesses have to wait.
    """

    def __init__(
        self,
        per_guesser: int = PER_GUESSER,
        overall: int = OVERALL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_guesser = per_guesser
        self._overall = overall
        self._clock = clock
        self._guesses: deque[tuple[float, str]] = deque()
        self._door = threading.Lock()

    def begin(self, guesser: str) -> None:
        """Count a guess as wrong until it turns out right, so that guesses at once all count."""
        with self._door:
            now = self._clock()
            while self._guesses and self._guesses[0][0] <= now - GUESS_SECONDS:
                self._guesses.popleft()
            mine = [when for when, who in self._guesses if who == guesser]
            if len(mine) >= self._per_guesser:
                raise _wait(mine[0] + GUESS_SECONDS - now)
            if len(self._guesses) >= self._overall:
                raise _wait(self._guesses[0][0] + GUESS_SECONDS - now)
            self._guesses.append((now, guesser))

    def take_back(self, guesser: str) -> None:
        """Uncount a guess that was not compared."""
        with self._door:
            for place in reversed(range(len(self._guesses))):
                if self._guesses[place][1] == guesser:
                    del self._guesses[place]
                    return

    def forgive(self, guesser: str) -> None:
        """Forget the wrong guesses of somebody who guessed right."""
        with self._door:
            self._guesses = deque(guess for guess in self._guesses if guess[1] != guesser)


def _wait(seconds: float) -> Refusal:
    minutes = int(seconds // 60) + 1
    return Refusal(
        "too_many_attempts.minutes" if minutes > 1 else "too_many_attempts", minutes=minutes
    )
