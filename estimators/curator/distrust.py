"""The price of trusting nobody: a local survey beside a trusted curator (math 10).

Both ask the same question with the same epsilon, and both protect one person's answer, unless
another relation is given. Shares and means are divided by the number of respondents, which a
local survey never hides.
"""

import math
from dataclasses import dataclass
from decimal import Decimal

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
from estimators.curator.noise import DiscreteLaplace
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
    neighbours: Neighbours = Neighbours.REPLACE_ONE,
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
    neighbours: Neighbours = Neighbours.REPLACE_ONE,
) -> Price:
    """Return the price with each variance averaged over all options."""
    local, sampling = promised_variances(question, shares, check_n(n))
    central, _ = curated_variances(question, shares, n, neighbours)
    return Price(question.id, n, *(float(part.mean()) for part in (local, central, sampling)))


def curated_variances(
    question: Question,
    shares: Array,
    n: int,
    neighbours: Neighbours = Neighbours.REPLACE_ONE,
) -> tuple[Array, Array]:
    """Return the (noise, sampling) variances of a curator's shares or mean, from n respondents."""
    _, sampling = promised_variances(question, shares, n)
    noise = curator_for(question.domain, question.epsilon, neighbours).noise_variance
    values = value_of_levels(question)
    step = 1.0 if values is None else float(values[1] - values[0])
    return np.full(len(sampling), step**2 * noise / n**2), sampling


def curator_for(
    domain: Domain, epsilon: Decimal, neighbours: Neighbours = Neighbours.REPLACE_ONE
) -> DiscreteLaplace:
    """The noise on every count of an option, or on the sum of all levels."""
    return DiscreteLaplace(epsilon, int(sensitivity_of(domain, neighbours).absolute))


def sensitivity_of(domain: Domain, neighbours: Neighbours) -> Sensitivity:
    """How far one person can move the counts of all options, or the sum of all levels."""
    match domain:
        # One count says both where n is public; where it is not, one of the two moves.
        case Choice(options=2):
            return counting_queries(1)
        case Choice():
            return histogram(neighbours)
        case Checks(options=options, at_most=at_most):
            return ticked_boxes(options, at_most, neighbours)
        case Levels(top=top):
            return sum_above(0, top)
