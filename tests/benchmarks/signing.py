"""How many tickets the server signs per second of one core, and what the blinding costs."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from client.core.primitives.words import secure_hex
from server.signing.private_key import PrivateKey

GOAL_PER_SECOND = 80


@dataclass(frozen=True)
class Signing:
    """Seconds of the processor for one signature: as the server makes it, and by `pow` alone."""

    ours: float
    plain: float

    @property
    def per_second(self) -> float:
        return 1 / self.ours

    @property
    def ratio(self) -> float:
        """How many times longer the plain power takes, with its secrets in the open."""
        return self.plain / self.ours


def measure(rounds: int) -> Signing:
    """Both take turns; the medians of so many signatures."""
    key = PrivateKey.new()
    secret = pow(65537, -1, (key.p - 1) * (key.q - 1))
    ours, plain = [], []
    for _ in range(rounds):
        blinded = int(secure_hex(60), 16) + 2
        ours.append(_seconds(partial(key.sign, blinded)))
        plain.append(_seconds(partial(pow, blinded, secret, key.modulus)))
    return Signing(statistics.median(ours), statistics.median(plain))


def _seconds(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start
