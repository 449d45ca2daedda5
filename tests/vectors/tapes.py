"""Tapes for vectors: words at the edges of every interval, and words that merely look random."""

from itertools import chain, count
from typing import Any

from client.core.primitives.words import WORD_RANGE, Tape

Vector = dict[str, Any]

LAST = WORD_RANGE - 1


def tape_hex(tape: list[int]) -> str:
    """Eight hexadecimal digits per word, most significant first."""
    return "".join(f"{word:08x}" for word in tape)


def scrambled(seed: int, count: int) -> list[int]:
    """Words that look random and are the same everywhere: multiples of an odd constant."""
    return [(seed * 7919 + i + 1) * 2654435761 % WORD_RANGE for i in range(count)]


def bern_edges(threshold: int) -> list[int]:
    """The ends of both intervals of a biased coin, and the words beside the border."""
    return sorted({0, threshold - 1, threshold, min(threshold + 1, LAST), LAST})


def below_edges(bound: int) -> list[list[int]]:
    """Starts of a tape for a uniform draw: both ends, the last word taken, two drawn again."""
    if bound == 1:
        return [[]]
    limit = WORD_RANGE - WORD_RANGE % bound
    taken = [[word] for word in sorted({0, bound - 1, bound, limit - 1}) if word < limit]
    return [*taken, [limit, LAST, bound // 2]] if limit < WORD_RANGE else taken


class Recorder:
    """The given words first, scrambled ones after them; remembers what was used."""

    def __init__(self, head: list[int], seed: int) -> None:
        tail = ((seed * 7919 + i + 1) * 2654435761 % WORD_RANGE for i in count())
        self._source = chain(head, tail)
        self.used: list[int] = []

    def word(self) -> int:
        self.used.append(next(self._source))
        return self.used[-1]


def as_tape(vector: Vector) -> Tape:
    return Tape.from_hex(vector["tape"])
