"""Fixed signing keys, so that tests need not make any, and tickets that no server signed.

They are published with the source: a key for anything but a test is made by `server/signing`.
"""

import json
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest

from client.core.tickets.rsabssa import EXPONENT
from client.core.tickets.ticket import Blinding, blind, finalize
from server.signing.keys import SigningKeys
from server.signing.private_key import PrivateKey

_FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class TestKey:
    """Two primes, and what follows from them."""

    __test__ = False

    p: int
    q: int

    @property
    def modulus(self) -> int:
        return self.p * self.q

    @property
    def public(self) -> str:
        """The key as it stands in a document."""
        return f"{self.modulus:0512x}"

    @property
    def secret(self) -> int:
        """The exponent that signs."""
        return pow(EXPONENT, -1, (self.p - 1) * (self.q - 1))

    def sign(self, blinded: str) -> str:
        """Sign without any blinding, as no server may."""
        return f"{pow(int(blinded, 16), self.secret, self.modulus):0512x}"


POOL = tuple(TestKey(int(p, 16), int(q, 16)) for p, q in json.loads(_FILE.read_text()))


def ticket_for(fingerprint: str, group: str = "", key: TestKey = POOL[0]) -> str:
    """Return a genuine ticket of a document that has this key."""
    return ticket_from(blind(key.public, fingerprint, group), fingerprint, group, key)


def ticket_from(
    blinding: Blinding, fingerprint: str, group: str, key: TestKey, signed: str = ""
) -> str:
    """Return the ticket that a device asked for, from a signature that is made here by default."""
    answer = signed or key.sign(blinding.blinded)
    return finalize(key.public, fingerprint, group, blinding, answer)


def pooled_keys(patch: pytest.MonkeyPatch) -> None:
    """Have every folder of keys take these, one after another, instead of making any."""
    pool = cycle(POOL)

    def take(keys: SigningKeys) -> str:
        key = next(pool)
        return keys.keep(PrivateKey(key.p, key.q))

    patch.setattr(SigningKeys, "make", take)
