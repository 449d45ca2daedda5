"""One winner named by a trusted curator: report noisy max, exponential mechanism (math 10)."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from estimators.central.neighbours import Neighbours, check_positive
from estimators.shares.spread import Array, Counts
from estimators.simulation.kernels.source import Source

# For `one_sided` below: a utility that one more person never lowers, whichever the candidate.
MONOTONE = (Neighbours.ADD_OR_REMOVE_ONE,)


@dataclass(frozen=True)
class NoisyMax:
    """The largest of several counts, each with Laplace noise of its own that is never shown."""

    epsilon: float
    neighbours: Neighbours

    def __post_init__(self) -> None:
        check_positive(self.epsilon, "epsilon")

    @property
    def scale(self) -> float:
        # Who joins can only raise counts. Who is replaced may lower the leader, raise the second.
        return (1 if self.neighbours is Neighbours.ADD_OR_REMOVE_ONE else 2) / self.epsilon

    @property
    def noise_variance(self) -> float:
        """Of every count before they are compared."""
        return 2 * self.scale**2

    def choose(self, counts: Array | Counts, source: Source) -> int:
        """Simulated: the index of the winner."""
        return int(np.argmax(counts + source.laplace(0, self.scale, len(counts))))


@dataclass(frozen=True)
class Exponential:
    """A candidate with probability proportional to exp(rate * utility).

    `sensitivity` is the farthest that neighbours can move the utility of any one candidate.
    `one_sided` names the relations whose neighbours never raise one utility and lower another.
    """

    epsilon: float
    sensitivity: float
    neighbours: Neighbours
    one_sided: tuple[Neighbours, ...] = ()

    def __post_init__(self) -> None:
        check_positive(self.epsilon, "epsilon")
        check_positive(self.sensitivity, "sensitivity")

    @property
    def rate(self) -> float:
        """Halved where the winner's utility may rise while all the others fall."""
        sides = 1 if self.neighbours in self.one_sided else 2
        return self.epsilon / (sides * self.sensitivity)

    def chances(self, utilities: Array) -> Array:
        """The exact probability of every candidate."""
        chances: Array = special.softmax(self.rate * np.asarray(utilities))
        return chances

    def shortfall(self, candidates: int, t: float) -> float:
        """The winner's utility is this much below the best with probability at most e^-t."""
        return (math.log(candidates) + t) / self.rate

    def choose(self, utilities: Array, source: Source) -> int:
        """Simulated: the index of the winner."""
        return int(source.choice(len(utilities), p=self.chances(utilities)))
