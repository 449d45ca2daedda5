"""A mean: the device asks itself "is it at least t?" for a random t (math 4, 5.3).

t does not depend on the answer, so sending it costs no privacy, and it yields the whole
distribution function besides the mean.
"""

from dataclasses import dataclass
from typing import ClassVar

from client.core.mechanisms.two_level import OneBit, index_bits, option_noise
from client.core.primitives.domain import Levels, check_pair
from client.core.primitives.words import Words, below


@dataclass(frozen=True)
class RandomThreshold(OneBit):
    """Answers are 0 .. top, reports are pairs [t, bit] with t from 1 to top."""

    top: int

    name: ClassVar[str] = "rt"
    title: ClassVar[str] = "random threshold"

    def __post_init__(self) -> None:
        _ = self.domain  # Raises if the top is invalid.

    @property
    def domain(self) -> Levels:
        return Levels(self.top)

    @property
    def cells(self) -> int:
        return 2 * self.top

    @property
    def longest(self) -> list[int]:
        return [self.top, 0]

    @property
    def bits(self) -> int:
        return index_bits(self.top) + 1

    def randomize(self, answer: int, words: Words) -> list[int]:
        t = 1 + below(words, self.top)
        return [t, self.flip(int(answer >= t), words)]

    def check(self, randomized: object, field: str) -> None:
        check_pair(randomized, 1, self.top, field)

    def cells_of(self, randomized: list[int]) -> list[int]:
        t, bit = randomized
        return [2 * (t - 1) + bit]

    def near_draws(self, answer: int, randomized: list[int]) -> int:
        t, bit = randomized
        return int(bit == int(answer >= t))

    def noise(self, truth: float) -> float:
        """Return the variance of one respondent's centred score at the level `truth` (math 5.3)."""
        top, rest = self.top, self.top - truth
        squares = truth * (truth + 1) * (2 * truth + 1) + rest * (rest + 1) * (2 * rest + 1)
        bit = option_noise(0, float(self.p), float(self.q))
        return top**2 * bit + top * squares / (6 * (top + 1) ** 2) - (truth - top / 2) ** 2
