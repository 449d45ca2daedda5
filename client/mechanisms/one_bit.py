"""What the randomizers of one bit share: near and far sets of the same size (math 1)."""

from abc import ABC
from dataclasses import dataclass
from fractions import Fraction

from client.mechanisms.two_level import Supporting
from client.words import Words, bern


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
