"""A number: report near the truth, in a window that slides with it (math 5.2)."""

from dataclasses import dataclass
from typing import ClassVar

from client.core.mechanisms.two_level import TwoLevel, index_bits
from client.core.primitives.domain import Levels, check_integer, check_shape
from client.core.primitives.words import Words, below, bern


@dataclass(frozen=True)
class SlidingWindow(TwoLevel):
    """Answers are 0 .. top, reports 0 .. top + width; the near set of x is x .. x + width."""

    top: int
    width: int

    name: ClassVar[str] = "isw"
    title: ClassVar[str] = "sliding window"

    def __post_init__(self) -> None:
        check_shape("width", self.width, 0, self.domain.top)

    @property
    def sends(self) -> str:
        if not self.width:
            return "A number, the true one more often than any other."
        return "A range of numbers, with the true one in it more often than any other."

    @property
    def domain(self) -> Levels:
        return Levels(self.top)

    @property
    def near(self) -> int:
        return self.width + 1

    @property
    def far(self) -> int:
        return self.top

    @property
    def cells(self) -> int:
        return self.top + self.width + 1

    @property
    def longest(self) -> int:
        return self.top + self.width

    @property
    def bits(self) -> int:
        return index_bits(self.cells)

    def randomize(self, answer: int, words: Words) -> int:
        if bern(words, self.threshold):
            return answer + below(words, self.width + 1)
        outside = below(words, self.top)
        return outside if outside < answer else outside + self.width + 1

    def check(self, randomized: object, field: str) -> None:
        check_integer(randomized, 0, self.top + self.width, field)

    def cells_of(self, randomized: int) -> list[int]:
        return [randomized]
