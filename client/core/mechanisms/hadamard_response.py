"""One option of a long list: Hadamard response (math 2.2), log2 K bits however long the list is.

The near set of an option is the half of all columns in which its row of the K x K Hadamard matrix
is +1: those that share an even number of one-bits with the row's number. Row 0 is +1 everywhere and
says nothing, so option x has row x + 1.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from client.core.mechanisms.two_level import Supporting, index_bits
from client.core.primitives.domain import Choice, check_integer
from client.core.primitives.words import Words, below, bern


@dataclass(frozen=True)
class HadamardResponse(Supporting):
    """Answers are 0 .. options - 1, reports are columns 0 .. columns - 1."""

    options: int

    name: ClassVar[str] = "hr"
    title: ClassVar[str] = "Hadamard response"

    def __post_init__(self) -> None:
        _ = self.domain  # Raises if the number of options is invalid.

    @property
    def domain(self) -> Choice:
        return Choice(self.options)

    @property
    def columns(self) -> int:
        """K, the smallest power of two above the number of options."""
        return 1 << self.options.bit_length()

    @property
    def near(self) -> int:
        return 1

    @property
    def far(self) -> int:
        return 1

    @property
    def p(self) -> Fraction:
        return self.keep

    @property
    def q(self) -> Fraction:
        """Two different rows agree in exactly half of the columns."""
        return Fraction(1, 2)

    @property
    def cells(self) -> int:
        return self.columns

    @property
    def longest(self) -> int:
        return self.columns - 1

    @property
    def bits(self) -> int:
        return index_bits(self.columns)

    def randomize(self, answer: int, words: Words) -> int:
        row = answer + 1
        keep = bern(words, self.threshold)
        column = below(words, self.columns)
        odd = (column & row).bit_count() % 2 == 1
        # Flipping the lowest bit set in the row moves the column to the other half.
        return column ^ (row & -row) if odd == keep else column

    def check(self, randomized: object, field: str) -> None:
        check_integer(randomized, 0, self.columns - 1, field)

    def cells_of(self, randomized: int) -> list[int]:
        return [randomized]

    def near_draws(self, answer: int, randomized: int) -> int:
        return int((randomized & (answer + 1)).bit_count() % 2 == 0)
