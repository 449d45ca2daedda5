"""Whether the time of signing tells what is signed: the same small number against random ones.

Both take turns on one core. Welch's t compares the two, without the slowest tenth of each, which
other programs slowed down. Beside it stands the same code without its blindings, which must be
caught: otherwise the measurement would prove nothing.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from unittest.mock import patch

from client.core.primitives.words import secure_hex
from server.signing import private_key
from server.signing.private_key import PrivateKey
from tests.support.ticket_keys import POOL
from tests.torture.row import Outcome, Progress, Row

KEY = PrivateKey(POOL[0].p, POOL[0].q)
SMALL = 5
# A fair measurement goes beyond this once in 150,000 runs.
MOST = 4.5
# What signing without blindings must reach.
PLAIN = -10.0
_KEPT = 0.9
# Of the processor: the nanoseconds of this thread alone.
Cost = Callable[[int], float]


def time_of_signing(number: int) -> float:
    start = time.thread_time_ns()
    KEY.sign(number)
    return time.thread_time_ns() - start


def t_between(cost: Cost, rounds: int, progress: Progress | None = None) -> float:
    """Return Welch's t of signing the small number against signing random ones."""
    small: list[float] = []
    others: list[float] = []
    for number in range(rounds):
        other = int(secure_hex(64), 16) % KEY.modulus
        # Neither always comes first.
        turns = [(small, SMALL), (others, other)]
        for costs, signed in turns if number % 2 else reversed(turns):
            costs.append(cost(signed))
        if progress:
            progress.advance()
    return welch(_quickest(small), _quickest(others))


def welch(one: Sequence[float], other: Sequence[float]) -> float:
    spread = statistics.variance(one) / len(one) + statistics.variance(other) / len(other)
    gap = statistics.mean(one) - statistics.mean(other)
    return gap / sqrt(spread) if spread else 0.0


def _quickest(costs: Sequence[float]) -> Sequence[float]:
    return sorted(costs)[: int(_KEPT * len(costs))]


@contextmanager
def without_blindings() -> Iterator[None]:
    """Have the same code sign with the factor 1 and the bare exponents."""
    with patch.object(private_key, "_random", lambda words: int(words > 2)):
        yield


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Sign each so many times, as it is and without blindings."""
    ours = t_between(time_of_signing, amount, progress)
    with without_blindings():
        plain = t_between(time_of_signing, amount)
    reasons = []
    if abs(ours) >= MOST:
        reasons.append("the time depends on what is signed")
    if plain > PLAIN:
        reasons.append("the measurement would not catch a plain signature")
    figure = f"t = {ours:.1f}; without blindings t = {plain:.1f}"
    return Outcome(figure, not reasons, " and ".join(reasons))


ROW = Row(
    "signing-time",
    "the processor's time for signing a small number against random ones, in turns",
    "t within -4.5 and 4.5 over 600 each; without blindings below -10",
    600,
    "signatures",
    run,
)
