"""What every randomizer has in common (math 0.1): one threshold, one proof, one tally.

Those that send one bit share their near and far sets, too (math 1).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Self

from client.core.primitives import channel
from client.core.primitives.domain import Domain
from client.core.primitives.words import WORD_RANGE, Words, bern


@dataclass(frozen=True)
class TwoLevel(ABC):
    """A published mechanism: its integer threshold and, in subclasses, its shape."""

    threshold: int

    # In documents and files, and in words.
    name: ClassVar[str]
    title: ClassVar[str]

    @classmethod
    def at(cls, epsilon: Decimal, **shape: int) -> Self:
        """The mechanism of this shape with the largest threshold that epsilon allows."""
        plain = cls(threshold=1, **shape)
        return replace(
            plain, threshold=channel.threshold(epsilon, plain.near, plain.far, plain.draws)
        )

    @property
    def shape(self) -> dict[str, int]:
        """Everything but the threshold: what the document says beside it."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "threshold"}

    @property
    @abstractmethod
    def sends(self) -> str:
        """What a report is, in one sentence for researchers."""

    @property
    @abstractmethod
    def near(self) -> int:
        """Size of the near set, up to the common factor with `far`."""

    @property
    @abstractmethod
    def far(self) -> int:
        """Size of the far set, up to the common factor with `near`."""

    @property
    def draws(self) -> int:
        """How many independent draws make a report; epsilon is split evenly among them."""
        return 1

    @property
    def keep(self) -> Fraction:
        """P(the report comes from the near set of the truth)."""
        return Fraction(self.threshold, WORD_RANGE)

    @property
    def delivered_epsilon(self) -> float:
        return self.draws * channel.delivered_epsilon(self.threshold, self.near, self.far)

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many counters a tally of this mechanism needs."""

    @property
    def marks(self) -> int:
        """How many cells every single report adds one to."""
        return 1

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The answers that this shape is made for."""

    def accepts(self, domain: Domain) -> bool:
        return domain == self.domain

    @property
    @abstractmethod
    def longest(self) -> Any:
        """A report that nothing on the wire is longer than."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """What a report would take at the least: an index list or a bitmap (math 2, 3, 5)."""

    @abstractmethod
    def randomize(self, answer: Any, words: Words) -> Any:
        """The randomized answer; the order in which words are drawn is normative (math 0.4)."""

    @abstractmethod
    def check(self, randomized: object, field: str) -> None:
        """Refuse anything that `randomize` could not have returned."""

    @abstractmethod
    def cells_of(self, randomized: Any) -> list[int]:
        """The tally cells that a randomized answer adds one to."""


@dataclass(frozen=True)
class Supporting(TwoLevel, ABC):
    """A report supports some options: with chance p the true one, with chance q any other."""

    @property
    @abstractmethod
    def p(self) -> Fraction:
        """P(the report supports v | the truth is v)."""

    @property
    @abstractmethod
    def q(self) -> Fraction:
        """P(the report supports v | the truth is another option)."""

    @property
    def alpha(self) -> Fraction:
        """The bias p - q: what is left of the truth in a report."""
        return self.p - self.q


def index_bits(count: int) -> int:
    """ceil(log2 count): the bits that tell `count` things apart."""
    return (count - 1).bit_length()


@dataclass(frozen=True)
class OneBit(Supporting, ABC):
    """p = e^eps / (1 + e^eps) = (1 + alpha) / 2, with alpha = (e^eps - 1) / (e^eps + 1) = p - q.

    alpha is the bias p - q, not p - 1/2: keeping the bit with probability 1/2 + alpha would leak
    3.2 at epsilon 1 and send the plain truth from ln 3 on.
    """

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
        return 1 - self.keep

    def flip(self, bit: int, words: Words) -> int:
        """Keep the bit, or send the other one."""
        return bit if bern(words, self.threshold) else 1 - bit
