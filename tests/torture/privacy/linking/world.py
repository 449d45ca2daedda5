"""People who answer by personal links, and all that an operator sees of them, without a clock."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from client.core.primitives.words import SecureWords, Words, secure_hex
from client.core.tickets.rsabssa import EXPONENT
from client.core.tickets.ticket import Blinding, blind, blind_with, finalize, read, report_id
from server.surveys.tickets import hash_of
from tests.support.ticket_keys import POOL, TestKey

FINGERPRINT = "b7" * 32


@dataclass(frozen=True)
class Asked:
    """What the operator has of a link: all that was sent and stored about its ticket."""

    texts: Sequence[str]
    blinded: int
    signed: int
    # By what the file sorts the row of this link.
    row: str


@dataclass(frozen=True)
class Came:
    """What the operator has of a report, and what follows from its ticket."""

    texts: Sequence[str]
    nonce: int
    signature: int
    # The message that was signed.
    encoded: int
    row: str


@dataclass(frozen=True)
class World:
    """All links in the order of their requests, all reports in the order in which they came."""

    key: TestKey
    asked: Sequence[Asked]
    came: Sequence[Came]
    # For each link the number of its report: what nobody may find out.
    truth: Sequence[int]

    @property
    def modulus(self) -> int:
        return self.key.modulus

    @property
    def primes(self) -> tuple[int, int]:
        return self.key.p, self.key.q

    def right(self, guess: Sequence[int]) -> int:
        """Return how many links were joined to their reports."""
        assert sorted(guess) == list(range(len(self.came)))
        return sum(one == other for one, other in zip(guess, self.truth, strict=True))
