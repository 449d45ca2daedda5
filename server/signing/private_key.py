"""A private key that signs blindly: its factors and nothing else.

Python's `pow` takes more or less time depending on its numbers. So the base and both exponents are
blinded afresh for each signature: how long it takes says nothing about the key or what is signed.
"""

from dataclasses import dataclass
from functools import cached_property

from cryptography.hazmat.primitives.asymmetric import rsa

from client.core.primitives.refusal import require
from client.core.primitives.words import secure_hex
from server.signing.blinded import EXPONENT

BITS = 2048
# Two words: a fresh multiple of p - 1 and q - 1 is added to the exponents.
_EXPONENT_WORDS = 2
# Two words more than the modulus has, so that the remainder is as good as uniform.
_BASE_WORDS = BITS // 32 + 2


@dataclass(frozen=True, repr=False)
class PrivateKey:
    """The two primes of a key."""

    p: int
    q: int

    @classmethod
    def new(cls) -> "PrivateKey":
        numbers = rsa.generate_private_key(EXPONENT, BITS).private_numbers()
        return cls(numbers.p, numbers.q)

    @cached_property
    def modulus(self) -> int:
        return self.p * self.q

    @property
    def public(self) -> str:
        """The key as it stands in a document."""
        return f"{self.modulus:0512x}"

    @cached_property
    def _exponents(self) -> tuple[int, int]:
        return pow(EXPONENT, -1, self.p - 1), pow(EXPONENT, -1, self.q - 1)

    @cached_property
    def _inverse(self) -> int:
        return pow(self.q, -1, self.p)

    def sign(self, blinded: int) -> int:
        """Return the signature; raise if it is wrong, because that could give the primes away."""
        base = _random(_BASE_WORDS) % self.modulus
        # The modulus is added so that a small number takes as long as a large one.
        hidden = (blinded + self.modulus) * pow(base, EXPONENT, self.modulus)
        signed = self._power(hidden) * pow(base, -1, self.modulus) % self.modulus
        require(pow(signed, EXPONENT, self.modulus) == blinded, "signing_failed")
        return signed

    def _power(self, hidden: int) -> int:
        """Return the secret power of a number, from those modulo the two primes."""
        (of_p, of_q), p, q = self._exponents, self.p, self.q
        by_p = pow(hidden % p, of_p + _random(_EXPONENT_WORDS) * (p - 1), p)
        by_q = pow(hidden % q, of_q + _random(_EXPONENT_WORDS) * (q - 1), q)
        return by_q + (by_p - by_q) * self._inverse % p * q


def _random(words: int) -> int:
    return int(secure_hex(words), 16)
