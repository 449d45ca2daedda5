"""32-bit words, and the three exact primitives that every randomizer is made of (math 0.4).

All randomness is an argument of type `Words`. The browser's `words.js` consumes the same words
in the same order, so one set of vectors proves both.
"""

import secrets
from collections.abc import Iterable
from typing import Protocol

WORD_RANGE = 2**32


class Words(Protocol):
    """A source of uniform unsigned 32-bit integers."""

    def word(self) -> int: ...


class SecureWords:
    """The operating system's secure generator: the only source for real answers."""

    def word(self) -> int:
        return secrets.randbits(32)


class Tape:
    """A fixed sequence of words, for tests and vectors; running off its end is an error."""

    def __init__(self, words: Iterable[int]) -> None:
        self._words = list(words)
        self.used = 0

    @classmethod
    def from_hex(cls, digits: str) -> "Tape":
        """Eight hexadecimal digits per word, most significant first."""
        return cls(int(digits[i : i + 8], 16) for i in range(0, len(digits), 8))

    def word(self) -> int:
        if self.used == len(self._words):
            raise IndexError(f"the tape holds {self.used} words and one more was asked for")
        self.used += 1
        return self._words[self.used - 1]


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
