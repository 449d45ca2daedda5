"""The privacy loss of one report beside the other ones (math 9).

Each question is a list of atoms. An atom is a kind of report that any answer can lead to. It has
two ratios: how much likelier the one and the other of two answers make this report than the answer
that makes it least likely. Its mass is the chance of that least likely case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import comb, exp
from typing import Self

import numpy as np

from client.core.mechanisms import TwoLevel
from estimators.mechanisms import analysis_of
from estimators.shares.spread import Array

# With more atoms, nothing is claimed beyond epsilon. Questions with equal epsilons share atoms: a
# hundred of them have 10,000.
MOST_ATOMS = 100_000
# Logarithms that agree in so many decimals are the same.
_DECIMALS = 10
# A question's mechanism and its epsilon.
Randomizer = tuple[TwoLevel, Decimal]


@dataclass(frozen=True)
class Loss:
    """Atoms of the loss between two answers: the logarithms of both ratios, and the mass."""

    log_one: Array
    log_other: Array
    mass: Array

    @classmethod
    def none(cls) -> Self:
        """Return the loss of a report without any question."""
        return cls(np.zeros(1), np.zeros(1), np.ones(1))

    def __len__(self) -> int:
        return len(self.mass)

    def times(self, other: "Loss") -> "Loss":
        """Return the loss of two independent draws together: ratios and masses multiply."""
        return Loss(
            np.add.outer(self.log_one, other.log_one).ravel(),
            np.add.outer(self.log_other, other.log_other).ravel(),
            np.outer(self.mass, other.mass).ravel(),
        ).merged()

    def plus(self, other: "Loss") -> "Loss":
        """Return the atoms of either loss."""
        return Loss(
            np.concatenate((self.log_one, other.log_one)),
            np.concatenate((self.log_other, other.log_other)),
            np.concatenate((self.mass, other.mass)),
        ).merged()

    def scaled(self, part: float) -> "Loss":
        """Return the same atoms, if only this part of the reports has them."""
        return Loss(self.log_one, self.log_other, self.mass * part)

    def merged(self) -> "Loss":
        """Return the same loss with one atom for each pair of ratios."""
        pairs = np.round(self.log_one, _DECIMALS) + 1j * np.round(self.log_other, _DECIMALS)
        found, place = np.unique(pairs, return_inverse=True)
        mass: Array = np.bincount(place, self.mass, len(found)).astype(np.float64)
        there = mass > 0
        return Loss(found.real[there], found.imag[there], mass[there])


def draw_loss(mechanism: TwoLevel, epsilon: float) -> Loss:
    """Return the loss of one draw with this epsilon, between the answers that differ most."""
    # As parts of all reports, because the counts may be too large for floats.
    every = mechanism.near + mechanism.far
    far = Fraction(mechanism.far, every)
    neither = Fraction(analysis_of(mechanism).far_from_both(), every)
    only = far - neither
    parts = np.array([float(part) for part in (only, only, 1 - far - only, neither)])
    return Loss(
        np.array([epsilon, 0.0, epsilon, 0.0]),
        np.array([0.0, epsilon, epsilon, 0.0]),
        parts / (float(1 - far) * exp(epsilon) + float(far)),
    ).merged()


def question_loss(mechanism: TwoLevel, epsilon: Decimal) -> Loss:
    """Return the loss of an answer to one question, which may take several draws."""
    draw = draw_loss(mechanism, float(epsilon) / mechanism.draws)
    whole = draw
    for _ in range(mechanism.draws - 1):
        whole = whole.times(draw)
    return whole


def report_loss(questions: Sequence[Randomizer], asked: int) -> Loss | None:
    """Return the loss of a report about `asked` of the questions; None if it has too many atoms.

    Which questions are drawn belongs to the report, and does not depend on the answers.
    """
    # By the number of questions drawn so far, the sum over all such draws.
    sums: list[Loss | None] = [Loss.none(), *[None] * asked]
    for mechanism, epsilon in questions:
        own = question_loss(mechanism, epsilon)
        # Downwards, so that no question is drawn twice.
        for drawn in range(asked, 0, -1):
            fewer, same = sums[drawn - 1], sums[drawn]
            if fewer is None:
                continue
            if len(fewer) * len(own) > MOST_ATOMS:
                return None
            longer = fewer.times(own)
            sums[drawn] = longer if same is None else same.plus(longer)
    whole = sums[asked]
    return None if whole is None else whole.scaled(1 / comb(len(questions), asked))
