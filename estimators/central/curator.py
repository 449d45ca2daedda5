"""The errors of a trusted curator who asks the same question with the same epsilon (math 10).

Shares and means are divided by the number of respondents, which no survey hides.
"""

import numpy as np

from client.core.kinds import Number, Scale
from client.core.primitives.domain import Checks, Choice, Domain, Levels
from client.core.question import Question
from estimators.central.neighbours import (
    Neighbours,
    Sensitivity,
    counting_queries,
    histogram,
    sum_above,
    ticked_boxes,
)
from estimators.central.noise import Laplace
from estimators.planning.promised_errors import promised_variances
from estimators.shares.spread import Array


def curator_of(question: Question, neighbours: Neighbours) -> Laplace:
    """The noise on every count of an option, or on the sum of all numbers."""
    kind = question.kind
    step = float(kind.step) if isinstance(kind, Scale | Number) else 1.0
    return curator_for(question.domain, float(question.epsilon), neighbours, step)


def curator_for(
    domain: Domain,
    epsilon: float,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
    step: float = 1.0,
) -> Laplace:
    """The same from what can be answered; `step` is what one level counts in a sum."""
    return Laplace(epsilon, _sensitivity(domain, neighbours, step))


def curated_variances(
    question: Question,
    shares: Array,
    n: int,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
) -> tuple[Array, Array]:
    """(noise, sampling): of every option's share, or of the mean alone, from n respondents."""
    _, sampling = promised_variances(question, shares, n)
    noise = curator_of(question, neighbours).noise_variance / n**2
    return np.full(len(sampling), noise), sampling


def _sensitivity(domain: Domain, neighbours: Neighbours, step: float) -> Sensitivity:
    match domain:
        case Choice(options=2):  # One count says both.
            return counting_queries(1)
        case Choice():
            return histogram(neighbours)
        case Checks(options=options, at_most=at_most):
            return ticked_boxes(options, at_most, neighbours)
        case Levels(top=top):
            return sum_above(0, top * step)
