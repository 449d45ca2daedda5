"""32-bit words, and the three exact primitives that every randomizer is made of (math 0.4).

All randomness is an argument of type `Words`. The browser's `words.js` consumes the same words
in the same order, so one set of vectors proves both.
"""

import secrets
from typing import Protocol

WORD_RANGE = 2**32


class Words(Protocol):
    """A source of uniform unsigned 32-bit integers."""

    def word(self) -> int: ...


class SecureWords:
    """The operating system's secure generator: the only source for real answers."""

    def word(self) -> int:
        return secrets.randbits(32)


def bern(words: Words, threshold: int) -> bool:
    """True with probability threshold / 2^32, exactly."""
    return words.word() < threshold


def below(words: Words, bound: int) -> int:
    """Uniform on 0 .. bound - 1, exactly: words past the last whole multiple are drawn again."""
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
    """A uniform `chosen`-subset of 0 .. size - 1 by Floyd's algorithm, sorted."""
    if not 0 <= chosen <= size:
        raise ValueError(f"chosen must be between 0 and {size}, got {chosen}")
    picked: set[int] = set()
    for j in range(size - chosen, size):
        candidate = below(words, j + 1)
        picked.add(j if candidate in picked else candidate)
    return sorted(picked)


def secure_hex(words: int) -> str:
    """A random name of `words` secure words as hexadecimal digits, for ids and tickets."""
    source = SecureWords()
    return "".join(f"{source.word():08x}" for _ in range(words))
