"""Tapes for vectors: words at the edges of every interval, and words that only look random."""

from collections.abc import Iterable
from itertools import chain, count
from typing import Any

from client.core.primitives.words import WORD_RANGE

Vector = dict[str, Any]

LAST = WORD_RANGE - 1


class Tape:
    """A fixed sequence of words, for tests and vectors; reading past its end is an error."""

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


def tape_hex(tape: list[int]) -> str:
    """Return eight hexadecimal digits per word, most significant first."""
    return "".join(f"{word:08x}" for word in tape)


def scrambled(seed: int, count: int) -> list[int]:
    """Return words that look random and are always the same: multiples of an odd constant."""
    return [(seed * 7919 + i + 1) * 2654435761 % WORD_RANGE for i in range(count)]


def bern_edges(threshold: int) -> list[int]:
    """Return both ends of each interval of a biased coin."""
    return sorted({0, threshold - 1, threshold, min(threshold + 1, LAST), LAST})


def below_edges(bound: int) -> list[list[int]]:
    """Return starts of a tape for a uniform draw: both ends, the last word taken, two redrawn."""
    if bound == 1:
        return [[]]
    limit = WORD_RANGE - WORD_RANGE % bound
    taken = [[word] for word in sorted({0, bound - 1, bound, limit - 1}) if word < limit]
    return [*taken, [limit, LAST, bound // 2]] if limit < WORD_RANGE else taken


class Recorder:
    """Gives the given words first, then scrambled ones, and remembers what was used."""

    def __init__(self, head: list[int], seed: int) -> None:
        tail = ((seed * 7919 + i + 1) * 2654435761 % WORD_RANGE for i in count())
        self._source = chain(head, tail)
        self.used: list[int] = []

    def word(self) -> int:
        self.used.append(next(self._source))
        return self.used[-1]


def as_tape(vector: Vector) -> Tape:
    return Tape.from_hex(vector["tape"])
