"""At most m of d options: report a set that is likelier to meet the answer than chance (math 3).

Answers are padded to exactly m items with dummies beyond the d options, so that the number of
ticked options does not show.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar

from client.core.mechanisms.two_level import Supporting, index_bits
from client.core.primitives.domain import Checks, check_set, check_shape
from client.core.primitives.words import Words, bern, subset


@dataclass(frozen=True)
class PrivateSet(Supporting):
    """Answers are sorted lists of up to `at_most` options, reports sets of `size` items."""

    options: int
    at_most: int
    size: int

    name: ClassVar[str] = "privset"
    title: ClassVar[str] = "private set"

    def __post_init__(self) -> None:
        # A far set must fit outside the padded answer.
        check_shape("size", self.size, 1, self.domain.options)

    @property
    def domain(self) -> Checks:
        return Checks(self.options, self.at_most)

    @property
    def items(self) -> int:
        """D, the number of options and dummies together."""
        return self.options + self.at_most

    @property
    def near(self) -> int:
        return comb(self.items, self.size) - self.far

    @property
    def far(self) -> int:
        return comb(self.options, self.size)

    @property
    def p(self) -> Fraction:
        """A near set holds a given item of the answer with the chance (w/D) / (1 - f)."""
        return self.keep * Fraction(self.size, self.items) / (1 - self._miss)

    @property
    def q(self) -> Fraction:
        inside = Fraction(self.size, self.items)
        outside = Fraction(self.size, self.options)
        near = (inside - self._miss * outside) / (1 - self._miss)
        return self.keep * near + (1 - self.keep) * outside

    @property
    def _miss(self) -> Fraction:
        """f, the chance that a uniform set misses the answer."""
        return Fraction(self.far, comb(self.items, self.size))

    @property
    def cells(self) -> int:
        return self.items

    @property
    def marks(self) -> int:
        return self.size

    @property
    def longest(self) -> list[int]:
        return list(range(self.items - self.size, self.items))

    @property
    def bits(self) -> int:
        return min(self.items, self.size * index_bits(self.items))

    def randomize(self, answer: list[int], words: Words) -> list[int]:
        padded = self._padded(answer)
        if bern(words, self.threshold):
            while True:
                report = subset(words, self.items, self.size)
                if padded.intersection(report):
                    return report
        outside = [item for item in range(self.items) if item not in padded]
        return [outside[i] for i in subset(words, self.options, self.size)]

    def check(self, randomized: object, field: str) -> None:
        check_set(randomized, self.items - 1, field, self.size)

    def cells_of(self, randomized: list[int]) -> list[int]:
        return randomized

    def near_draws(self, answer: list[int], randomized: list[int]) -> int:
        return int(not self._padded(answer).isdisjoint(randomized))

    def _padded(self, answer: list[int]) -> set[int]:
        return {*answer, *range(self.options, self.items - len(answer))}
