"""A release compared with a local survey: the same question and epsilon, and nobody to trust."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from client.core.primitives.domain import Checks, Choice
from estimators.curator.answers import Answers
from estimators.curator.distrust import average_price
from estimators.curator.local import LocalSurvey
from estimators.curator.neighbours import Neighbours
from estimators.shares.spread import Array
from estimators.simulation.people.shares import even_shares

Figures = dict[str, Any]

REPLACE = Neighbours.REPLACE_ONE


def local_survey(
    answers: Answers, neighbours: Neighbours, released: Sequence[int] = ()
) -> LocalSurvey | None:
    """Return the local survey to compare with, or None if the number of people is private.

    If who takes part is private, the number is the sum of a histogram's released counts.
    """
    if answers.local is not None:
        return LocalSurvey(answers.question, answers.local.n, answers.local)
    if neighbours is REPLACE:
        return LocalSurvey(answers.question, answers.n)
    if released and isinstance(answers.question.domain, Choice):
        return LocalSurvey(answers.question, max(1, sum(released)))
    return None


def compare(local: LocalSurvey, local_bound: float, bound: float, most: float) -> Figures:
    """Return the local survey's own bound, and how many times the curator's bound it is.

    No figure that is cut to what is possible is off by more than `most`.
    """
    mechanism = local.question.mechanism
    return {
        "mechanism": mechanism.name,
        "respondents": local.n,
        # Without a report about some box there is no bound, and JSON has no infinity.
        "error_bound": local_bound if math.isfinite(local_bound) else None,
        "times_the_curators": (
            min(local_bound, most) / min(bound, most)
            if bound and math.isfinite(local_bound)
            else None
        ),
    }


def possible_shares(answers: Answers, released: Sequence[int], n: int) -> Array:
    """Return the released counts as possible shares, even if the noise made some negative."""
    domain = answers.question.domain
    counts = np.clip(np.array(released, dtype=np.float64), 0, n)
    if isinstance(domain, Checks):
        return counts / n
    if len(counts) == 1:
        return np.array([1 - counts[0] / n, counts[0] / n])
    whole = counts.sum()
    shares: Array = counts / whole if whole else np.array(even_shares(domain))
    return shares


def price_figures(answers: Answers, shares: Array, n: int, neighbours: Neighbours) -> Figures:
    """Return what trusting nobody costs in respondents, at these shares (math 10)."""
    average = average_price(answers.question, shares, n, neighbours)
    return {
        "curator_respondents": average.curator_respondents,
        "price_of_distrust": average.ratio,
    }
