"""32-bit words, and the three exact primitives that all randomizers are built from (math 0.4).

Randomness is always an argument of type `Words`. The browser's `words.js` consumes the same words
in the same order, so one set of vectors proves both.
"""

import secrets
from typing import Protocol

WORD_RANGE = 2**32


class Words(Protocol):
    """A source of uniform unsigned 32-bit integers."""

    def word(self) -> int: ...


class SecureWords:
    """Words from the operating system's secure generator: the only source for real answers."""

    def word(self) -> int:
        return secrets.randbits(32)


def bern(words: Words, threshold: int) -> bool:
    """Return True with probability exactly threshold / 2^32."""
    return words.word() < threshold


def below(words: Words, bound: int) -> int:
    """Return an exactly uniform integer from 0 to bound - 1, redrawing words that would bias it."""
    if not 1 <= bound <= WORD_RANGE:
        raise ValueError(f"bound must be between 1 and 2^32, got {bound}")
    if bound == 1:
        return 0
    limit = WORD_RANGE - WORD_RANGE % bound
    while True:
        word = words.word()
        if word < limit:
            return word % bound


def subset(words: Words, size: int, chosen: int) -> list[int]:
    """Return a uniform subset of 0 .. size - 1 with `chosen` members, sorted (Floyd)."""
    if not 0 <= chosen <= size:
        raise ValueError(f"chosen must be between 0 and {size}, got {chosen}")
    picked: set[int] = set()
    for j in range(size - chosen, size):
        candidate = below(words, j + 1)
        picked.add(j if candidate in picked else candidate)
    return sorted(picked)


def secure_hex(words: int) -> str:
    """Return a random hexadecimal name made of `words` secure words, for ids and tickets."""
    source = SecureWords()
    return "".join(f"{source.word():08x}" for _ in range(words))
