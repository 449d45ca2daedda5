"""Yes/no: randomized response, one bit (math 1).

The device keeps the answer with probability p = e^eps / (1 + e^eps) = (1 + alpha) / 2 and sends
the other one otherwise, where alpha = (e^eps - 1) / (e^eps + 1) is the bias p - q, not p - 1/2.
"""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

from client import channel
from client.mechanisms.two_level import TwoLevel
from client.refusal import Refusal
from client.words import Words, bern


@dataclass(frozen=True)
class RandomizedResponse(TwoLevel):
    """Answers and reports are 0 or 1."""

    name: ClassVar[str] = "rr"

    @classmethod
    def for_epsilon(cls, epsilon: Decimal) -> "RandomizedResponse":
        return cls(threshold=channel.threshold(epsilon, 1, 1))

    @property
    def near(self) -> int:
        return 1

    @property
    def far(self) -> int:
        return 1

    @property
    def cells(self) -> int:
        return 2

    @property
    def q(self) -> Fraction:
        return 1 - self.p

    def randomize(self, answer: int, words: Words) -> int:
        if type(answer) is not int or answer not in (0, 1):
            raise ValueError(f"answer must be 0 or 1, got {answer!r}")
        return answer if bern(words, self.threshold) else 1 - answer

    def check(self, randomized: object, field: str) -> None:
        if type(randomized) is not int or randomized not in (0, 1):
            raise Refusal(
                "option_out_of_range", f"{field} must be 0 or 1, got {randomized!r}", field
            )

    def cells_of(self, randomized: int) -> tuple[int, ...]:
        return (randomized,)
