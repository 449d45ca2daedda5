"""A number: report a number near the truth, from a window that slides with it (math 5.2, 5.5)."""

from dataclasses import dataclass
from typing import ClassVar

from client.core.mechanisms.two_level import TwoLevel, index_bits
from client.core.primitives.domain import Levels, check_integer, check_shape
from client.core.primitives.words import Words, below, bern


@dataclass(frozen=True)
class SlidingWindow(TwoLevel):
    """Answers are 0 .. top; reports are 0 .. top + width. The near set of x is x .. x + width.

    The answers after the top are options for silence. Each has width + 1 reports of its own, after
    those of the levels.
    """

    top: int
    width: int
    silent: int = 0

    name: ClassVar[str] = "isw"
    title: ClassVar[str] = "sliding window"

    def __post_init__(self) -> None:
        check_shape("width", self.width, 0, self.domain.top)

    @property
    def domain(self) -> Levels:
        return Levels(self.top, self.silent)

    @property
    def near(self) -> int:
        return self.width + 1

    @property
    def far(self) -> int:
        return self.top + self.silent * self.near

    @property
    def cells(self) -> int:
        return self.near + self.far

    @property
    def longest(self) -> int:
        return self.cells - 1

    @property
    def bits(self) -> int:
        return index_bits(self.cells)

    def start(self, answer: int) -> int:
        """Return the first report of an answer's window."""
        return min(answer, self.top) + max(answer - self.top, 0) * self.near

    def randomize(self, answer: int, words: Words) -> int:
        start = self.start(answer)
        if bern(words, self.threshold):
            return start + below(words, self.near)
        outside = below(words, self.far)
        return outside if outside < start else outside + self.near

    def check(self, randomized: object, field: str) -> None:
        check_integer(randomized, 0, self.cells - 1, field)

    def cells_of(self, randomized: int) -> list[int]:
        return [randomized]

    def near_draws(self, answer: int, randomized: int) -> int:
        return int(0 <= randomized - self.start(answer) <= self.width)

    def noise(self, truth: float) -> float:
        return window_noise(self.top, self.width, float(self.keep), truth, self.silent)


def window_noise(top: int, width: int, keep: float, level: float, silent: int = 0) -> float:
    """Return the variance of one respondent's unbiased score at this level (math 5.2, 5.5).

    The score counts from the middle of the range, where silence is counted; a level above the top
    is silence.
    """
    cells = top + width + 1
    away = (1 - keep) / (top + silent * (width + 1))
    slope = keep - away * (width + 1)
    outside = away * cells * (cells**2 - 1) / 12 / slope**2
    if level > top:
        return outside
    square = (level - top / 2) ** 2
    return outside + (square + width * (width + 2) / 12) / slope - square
