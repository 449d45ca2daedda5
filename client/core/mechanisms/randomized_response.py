"""Yes/no: randomized response, one bit (math 1)."""

from dataclasses import dataclass
from typing import ClassVar

from client.core.mechanisms.two_level import OneBit
from client.core.primitives.domain import Choice, check_integer
from client.core.primitives.words import Words


@dataclass(frozen=True)
class RandomizedResponse(OneBit):
    """Answers and reports are 0 or 1."""

    name: ClassVar[str] = "rr"
    title: ClassVar[str] = "randomized response"

    @property
    def domain(self) -> Choice:
        return Choice(2)

    @property
    def cells(self) -> int:
        return 2

    @property
    def longest(self) -> int:
        return 0

    @property
    def bits(self) -> int:
        return 1

    def randomize(self, answer: int, words: Words) -> int:
        return self.flip(answer, words)

    def check(self, randomized: object, field: str) -> None:
        check_integer(randomized, 0, 1, field)

    def cells_of(self, randomized: int) -> list[int]:
        return [randomized]

    def near_draws(self, answer: int, randomized: int) -> int:
        return int(randomized == answer)
