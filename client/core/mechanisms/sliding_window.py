"""A number: report a number near the truth, from a window that slides with it (math 5.2)."""

from dataclasses import dataclass
from typing import ClassVar

from client.core.mechanisms.two_level import TwoLevel, index_bits
from client.core.primitives.domain import Levels, check_integer, check_shape
from client.core.primitives.words import Words, below, bern


@dataclass(frozen=True)
class SlidingWindow(TwoLevel):
    """Answers are 0 .. top; reports are 0 .. top + width. The near set of x is x .. x + width."""

    top: int
    width: int

    name: ClassVar[str] = "isw"
    title: ClassVar[str] = "sliding window"

    def __post_init__(self) -> None:
        check_shape("width", self.width, 0, self.domain.top)

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

    def near_draws(self, answer: int, randomized: int) -> int:
        return int(answer <= randomized <= answer + self.width)

    def noise(self, truth: float) -> float:
        return window_noise(self.top, self.width, float(self.keep), truth)


def window_noise(top: int, width: int, keep: float, level: float) -> float:
    """Return the variance of one respondent's unbiased score at this level (math 5.2)."""
    last = top + width
    first_sum = last * (last + 1) / 2
    second_sum = first_sum * (2 * last + 1) / 3
    slope = keep - (1 - keep) * (width + 1) / top
    intercept = (1 - keep) * first_sum / top
    middle = level + width / 2
    spread = slope * (width * (width + 2) / 12 + middle**2) + (1 - keep) * second_sum / top
    return (spread - (slope * middle + intercept) ** 2) / slope**2
