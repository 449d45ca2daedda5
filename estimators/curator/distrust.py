"""The price of trusting nobody: a local survey compared with a trusted curator (math 10).

Both ask the same question with the same epsilon. Shares and means are divided by the number of
respondents, which a local survey never hides.
"""

import math
from dataclasses import dataclass

import numpy as np

from client.core.kinds.kind import MEAN
from client.core.primitives.domain import Checks, Choice, Domain, Levels
from client.core.question import Question
from estimators.curator.neighbours import (
    Neighbours,
    Sensitivity,
    counting_queries,
    histogram,
    sum_above,
    ticked_boxes,
)
from estimators.curator.noise import Laplace
from estimators.shares.intervals import check_n
from estimators.shares.spread import Array
from estimators.tables.promised_errors import promised_variances, value_of_levels


@dataclass(frozen=True)
class Price:
    """One share or mean from the same respondents, asked locally and by a trusted curator."""

    label: str
    respondents: float
    local_noise_variance: float
    central_noise_variance: float
    sampling_variance: float

    @property
    def local_error(self) -> float:
        return math.sqrt(self.local_noise_variance + self.sampling_variance)

    @property
    def central_error(self) -> float:
        return math.sqrt(self.central_noise_variance + self.sampling_variance)

    @property
    def ratio(self) -> float:
        """How many times as many respondents the local survey needs as the curator, for its error.

        With n/r respondents the curator's noise variance is r^2 times that with n, the sampling
        variance r times: r solves r^2 central + r sampling = local + sampling.
        """
        both = self.local_noise_variance + self.sampling_variance
        root = math.sqrt(self.sampling_variance**2 + 4 * self.central_noise_variance * both)
        return 2 * both / (self.sampling_variance + root)

    @property
    def curator_respondents(self) -> float:
        """How many respondents give the curator the local survey's error."""
        return self.respondents / self.ratio


def price_of_distrust(
    question: Question,
    shares: Array,
    n: int,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
) -> tuple[Price, ...]:
    """Return the price for every option's share, or for the mean alone, from n respondents."""
    local, sampling = promised_variances(question, shares, check_n(n))
    central, _ = curated_variances(question, shares, n, neighbours)
    labels = question.options if value_of_levels(question) is None else (MEAN,)
    return tuple(
        Price(label, n, float(local[i]), float(central[i]), float(sampling[i]))
        for i, label in enumerate(labels)
    )


def average_price(
    question: Question,
    shares: Array,
    n: int,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
) -> Price:
    """Return the price with each variance averaged over all options."""
    local, sampling = promised_variances(question, shares, check_n(n))
    central, _ = curated_variances(question, shares, n, neighbours)
    return Price(question.id, n, *(float(part.mean()) for part in (local, central, sampling)))


def curated_variances(
    question: Question,
    shares: Array,
    n: int,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
) -> tuple[Array, Array]:
    """Return the (noise, sampling) variances of a curator's shares or mean, from n respondents."""
    _, sampling = promised_variances(question, shares, n)
    noise = curator_of(question, neighbours).noise_variance / n**2
    return np.full(len(sampling), noise), sampling


def curator_of(question: Question, neighbours: Neighbours) -> Laplace:
    """Return the curator's noise on every option's count, or on the sum of all numbers."""
    grid = question.kind.grid
    step = float(grid.step) if grid else 1.0
    return curator_for(question.domain, float(question.epsilon), neighbours, step)


def curator_for(
    domain: Domain,
    epsilon: float,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
    step: float = 1.0,
) -> Laplace:
    """Return the curator's noise for a domain; `step` is what one level counts in a sum."""
    return Laplace(epsilon, sensitivity_of(domain, neighbours, step))


def sensitivity_of(domain: Domain, neighbours: Neighbours, step: float = 1.0) -> Sensitivity:
    """Return how far one person can move the counts of all options, or the sum of all numbers."""
    match domain:
        case Choice(options=2):  # One count determines the other.
            return counting_queries(1)
        case Choice():
            return histogram(neighbours)
        case Checks(options=options, at_most=at_most):
            return ticked_boxes(options, at_most, neighbours)
        case Levels(top=top):
            return sum_above(0, top * step)
