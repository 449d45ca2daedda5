"""What all randomizers share (math 0.1): one threshold, one privacy proof, one kind of tally.

Mechanisms that send one bit also share their near and far sets (math 1).
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

    # The name is for documents and files, the title for people.
    name: ClassVar[str]
    title: ClassVar[str]

    @classmethod
    def at(cls, epsilon: Decimal, **shape: int) -> Self:
        """Return the mechanism of this shape with the largest threshold that epsilon allows."""
        plain = cls(threshold=1, **shape)
        return replace(
            plain, threshold=channel.threshold(epsilon, plain.near, plain.far, plain.draws)
        )

    @property
    def shape(self) -> dict[str, int]:
        """All parameters except the threshold and defaults, as the document lists them."""
        own = {f.name: (getattr(self, f.name), f.default) for f in fields(self)}
        given = {name: value for name, (value, default) in own.items() if value != default}
        del given["threshold"]
        return given

    @property
    @abstractmethod
    def near(self) -> int:
        """The size of the near set, up to a factor shared with `far`."""

    @property
    @abstractmethod
    def far(self) -> int:
        """The size of the far set, up to a factor shared with `near`."""

    @property
    def draws(self) -> int:
        """The number of independent draws in a report; epsilon is split evenly among them."""
        return 1

    @property
    def keep(self) -> Fraction:
        """P(the report comes from the near set of the truth)."""
        return Fraction(self.threshold, WORD_RANGE)

    @property
    def support(self) -> tuple[Fraction, Fraction] | None:
        """p and q if a report supports options, else None."""
        return None

    @property
    def delivered_epsilon(self) -> float:
        return self.draws * channel.delivered_epsilon(self.threshold, self.near, self.far)

    @property
    @abstractmethod
    def cells(self) -> int:
        """The number of counters that a tally of this mechanism needs."""

    @property
    def marks(self) -> int:
        """The number of cells that each report adds one to."""
        return 1

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The domain of answers that this shape is made for."""

    def accepts(self, domain: Domain) -> bool:
        return domain == self.domain

    @property
    @abstractmethod
    def longest(self) -> Any:
        """A randomized answer that is at least as long on the wire as any other."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """The fewest bits a report could take, as a list of indices or a bitmap (math 2, 3, 5)."""

    def draw_assignment(self, words: Words) -> list[int] | None:
        """Draw the part of an answer that a report is about; None means the whole answer."""
        return None

    def assignment_of(self, randomized: Any) -> list[int] | None:
        """Return the part of an answer that this report is about; None means the whole answer."""
        return None

    @abstractmethod
    def randomize(self, answer: Any, words: Words) -> Any:
        """Randomize an answer; the order in which words are drawn is normative (math 0.4)."""

    def randomize_assigned(self, answer: Any, words: Words, assigned: Any) -> Any:
        """Randomize the part of the answer that `draw_assignment` returned."""
        return self.randomize(answer, words)

    @abstractmethod
    def check(self, randomized: object, field: str) -> None:
        """Raise unless `randomize` could have returned this value."""

    @abstractmethod
    def cells_of(self, randomized: Any) -> list[int]:
        """Return the tally cells that a randomized answer adds one to."""

    @abstractmethod
    def near_draws(self, answer: Any, randomized: Any) -> int:
        """Return how many of a report's draws fell into the near set of this answer."""

    @abstractmethod
    def noise(self, truth: float) -> float:
        """Return the variance that the randomizer adds to one respondent's unbiased estimate.

        `truth` is the share of an option or, where a mean is estimated, the level of the
        respondent.
        """


@dataclass(frozen=True)
class Supporting(TwoLevel, ABC):
    """A mechanism whose reports support the true option with chance p, others with chance q."""

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
        """The bias p - q: how much of the truth is left in a report."""
        return self.p - self.q

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        return self.p, self.q

    def noise(self, truth: float) -> float:
        return option_noise(truth, float(self.p), float(self.q))


def option_noise(share: float, p: float, q: float) -> float:
    """Return the noise of one option's share: share V1 + (1 - share) V0 (math 0.5).

    V1 = p(1-p)/(p-q)^2 and V0 = q(1-q)/(p-q)^2. For randomized response both equal v = pq/(p-q)^2 =
    e^eps/(e^eps-1)^2, so the noise does not depend on the truth (math 1).
    """
    yes = p * (1 - p) / (p - q) ** 2
    no = q * (1 - q) / (p - q) ** 2
    # In this form, equal V1 and V0 give exactly that number to the last bit, whatever the share.
    return no + share * (yes - no)


def index_bits(count: int) -> int:
    """Return ceil(log2 count), the bits needed to tell `count` things apart."""
    return (count - 1).bit_length()


@dataclass(frozen=True)
class OneBit(Supporting, ABC):
    """A mechanism that keeps or flips one bit.

    p = e^eps / (1 + e^eps) = (1 + alpha) / 2, with alpha = (e^eps - 1) / (e^eps + 1) = p - q. Note
    that alpha is p - q, not p - 1/2: keeping the bit with probability 1/2 + alpha would leak 3.2 at
    epsilon 1 and send the plain truth from epsilon = ln 3 on.
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
        """Return the bit with the chance p, otherwise the opposite bit."""
        return bit if bern(words, self.threshold) else 1 - bit
