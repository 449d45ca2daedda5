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
    def support(self) -> tuple[Fraction, Fraction] | None:
        """p and q, where a report supports options; else None."""
        return None

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

    def draw_assignment(self, words: Words) -> list[int] | None:
        """Draw the part of an answer that a report is about; None where it is the whole."""
        return None

    def assignment_of(self, randomized: Any) -> list[int] | None:
        """The part of an answer that this report is about; None where it is the whole."""
        return None

    @abstractmethod
    def randomize(self, answer: Any, words: Words) -> Any:
        """The randomized answer; the order in which words are drawn is normative (math 0.4)."""

    def randomize_assigned(self, answer: Any, words: Words, assigned: Any) -> Any:
        """Randomize the part of the answer that `draw_assignment` gave."""
        return self.randomize(answer, words)

    @abstractmethod
    def check(self, randomized: object, field: str) -> None:
        """Refuse anything that `randomize` could not have returned."""

    @abstractmethod
    def cells_of(self, randomized: Any) -> list[int]:
        """The tally cells that a randomized answer adds one to."""

    @abstractmethod
    def near_draws(self, answer: Any, randomized: Any) -> int:
        """How many of a report's draws came out in the near set of this answer."""

    @abstractmethod
    def noise(self, truth: float) -> float:
        """Variance that the randomizer adds to one respondent's unbiased estimate.

        `truth` is the share of an option, or the level of a respondent where a mean is estimated.
        """


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

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        return self.p, self.q

    def noise(self, truth: float) -> float:
        return option_noise(truth, float(self.p), float(self.q))


def option_noise(share: float, p: float, q: float) -> float:
    """Noise of one option's share: share V1 + (1 - share) V0 (math 0.5).

    V1 = p(1-p)/(p-q)^2 and V0 = q(1-q)/(p-q)^2. For randomized response they are the same number
    v = pq/(p-q)^2 = e^eps/(e^eps-1)^2, so the noise does not depend on the truth (math 1).
    """
    yes = p * (1 - p) / (p - q) ** 2
    no = q * (1 - q) / (p - q) ** 2
    # Written so that equal V1 and V0 give that number to the last bit, whatever the share.
    return no + share * (yes - no)


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
