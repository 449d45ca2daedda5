"""How often a password may be guessed: a budget for each name, and for each known browser.

Names that do not exist have the same budget, so that nobody can tell them from others. There is no
budget for all names together: strangers could use it up with names that they make up.
"""

import threading
import time
from collections import deque
from collections.abc import Callable

from client.core.primitives.refusal import Refusal

# How long a wrong guess is remembered.
GUESS_SECONDS = 900.0
# Wrong guesses in that time of one guesser: a name, or a known browser.
PER_GUESSER = 10


class Guesses:
    """Counts the wrong guesses of the last quarter of an hour, for each guesser.

    A guess costs its sender a password's hash, so there cannot be more of them than the server
    hashes in that time: some ten thousand.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # By guesser; whoever guessed last is last, so that the first have run out first.
        self._guesses: dict[str, deque[float]] = {}
        self._door = threading.Lock()

    def begin(self, guesser: str) -> None:
        """Count a guess as wrong until it turns out right, so that guesses at once all count."""
        with self._door:
            now = self._clock()
            self._forget_before(now - GUESS_SECONDS)
            mine = self._guesses.get(guesser, deque())
            while mine and mine[0] <= now - GUESS_SECONDS:
                mine.popleft()
            if len(mine) >= PER_GUESSER:
                raise _wait(mine[0] + GUESS_SECONDS - now)
            mine.append(now)
            self._guesses.pop(guesser, None)
            self._guesses[guesser] = mine

    def take_back(self, guesser: str) -> None:
        """Uncount a guess that was not compared."""
        with self._door:
            mine = self._guesses.get(guesser)
            if mine:
                mine.pop()
            if not mine:
                # Nobody paid a hash for it: a crowd that is sent away must not fill the memory.
                self._guesses.pop(guesser, None)

    def forgive(self, guesser: str) -> None:
        """Forget the wrong guesses of somebody who guessed right."""
        with self._door:
            self._guesses.pop(guesser, None)

    def _forget_before(self, moment: float) -> None:
        for guesser in list(self._guesses):
            times = self._guesses[guesser]
            if times and times[-1] > moment:
                break
            del self._guesses[guesser]


def _wait(seconds: float) -> Refusal:
    minutes = int(seconds // 60) + 1
    return Refusal(
        "too_many_attempts.minutes" if minutes > 1 else "too_many_attempts", minutes=minutes
    )
