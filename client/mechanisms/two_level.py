"""What every randomizer has in common (math 0.1): one threshold, one proof, scores p and q."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from client import channel
from client.words import WORD_RANGE, Words


@dataclass(frozen=True)
class TwoLevel(ABC):
    """A published mechanism: its integer threshold and, in subclasses, its shape."""

    threshold: int

    name: ClassVar[str]

    @property
    @abstractmethod
    def near(self) -> int:
        """Size of the near set, up to the common factor with `far`."""

    @property
    @abstractmethod
    def far(self) -> int:
        """Size of the far set, up to the common factor with `near`."""

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many counters a tally of this mechanism needs."""

    @property
    @abstractmethod
    def q(self) -> Fraction:
        """P(the report supports v | the truth is another option)."""

    @property
    def p(self) -> Fraction:
        """P(the report supports v | the truth is v)."""
        return Fraction(self.threshold, WORD_RANGE)

    @property
    def alpha(self) -> Fraction:
        """The bias p - q: what is left of the truth in a report."""
        return self.p - self.q

    @property
    def delivered_epsilon(self) -> float:
        return channel.delivered_epsilon(self.threshold, self.near, self.far)

    @abstractmethod
    def randomize(self, answer: int, words: Words) -> Any:
        """The randomized answer; the order in which words are drawn is normative."""

    @abstractmethod
    def check(self, randomized: object, field: str) -> None:
        """Refuse anything that `randomize` could not have returned."""

    @abstractmethod
    def cells_of(self, randomized: Any) -> tuple[int, ...]:
        """The tally cells that a randomized answer adds one to."""
