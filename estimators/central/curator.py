"""The errors of a trusted curator who asks the same question with the same epsilon (math 10).

Shares and means are divided by the number of respondents, which no survey hides.
"""

import numpy as np

from client.domain import Checks, Choice, Levels
from client.kinds import Number, Scale
from client.question import Question
from estimators.central.neighbours import (
    Neighbours,
    Sensitivity,
    counting_queries,
    histogram,
    sum_above,
    ticked_boxes,
)
from estimators.central.noise import Laplace
from estimators.promised_errors import promised_variances
from estimators.spread import Array


def curator_of(question: Question, neighbours: Neighbours) -> Laplace:
    """The noise on every count of an option, or on the sum of all numbers."""
    return Laplace(float(question.epsilon), _sensitivity(question, neighbours))


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


def _sensitivity(question: Question, neighbours: Neighbours) -> Sensitivity:
    match question.domain:
        case Choice(options=2):  # One count says both.
            return counting_queries(1)
        case Choice():
            return histogram(neighbours)
        case Checks(options=options, at_most=at_most):
            return ticked_boxes(options, at_most, neighbours)
        case Levels():
            assert isinstance(question.kind, Scale | Number)
            return sum_above(float(question.kind.lo), float(question.kind.hi))
