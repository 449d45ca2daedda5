"""One of k options: subset selection (math 2.1).

The report is a set of options; with size 1 this is k-ary randomized response. The near sets are
those that contain the truth.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from client.core.mechanisms.two_level import Supporting, index_bits
from client.core.primitives.domain import Choice, check_set, check_shape
from client.core.primitives.words import Words, bern, subset


@dataclass(frozen=True)
class SubsetSelection(Supporting):
    """Answers are 0 .. options - 1; reports are sorted lists of `size` options."""

    options: int
    size: int

    name: ClassVar[str] = "ss"
    title: ClassVar[str] = "subset selection"

    def __post_init__(self) -> None:
        check_shape("size", self.size, 1, self.domain.options - 1)

    @property
    def domain(self) -> Choice:
        return Choice(self.options)

    @property
    def near(self) -> int:
        return self.size

    @property
    def far(self) -> int:
        return self.options - self.size

    @property
    def p(self) -> Fraction:
        return self.keep

    @property
    def q(self) -> Fraction:
        """From p + (k - 1) q = w: a report supports as many options as its set has."""
        return (self.size - self.p) / (self.options - 1)

    @property
    def cells(self) -> int:
        return self.options

    @property
    def marks(self) -> int:
        return self.size

    @property
    def longest(self) -> list[int]:
        return list(range(self.options - self.size, self.options))

    @property
    def bits(self) -> int:
        return min(self.options, self.size * index_bits(self.options))

    def randomize(self, answer: int, words: Words) -> list[int]:
        keep = bern(words, self.threshold)
        others = subset(words, self.options - 1, self.size - keep)
        report = [other + (other >= answer) for other in others]
        return sorted([*report, answer] if keep else report)

    def check(self, randomized: object, field: str) -> None:
        check_set(randomized, self.options - 1, field, self.size)

    def cells_of(self, randomized: list[int]) -> list[int]:
        return randomized

    def near_draws(self, answer: int, randomized: list[int]) -> int:
        return int(answer in randomized)
