"""The tables of the zip: estimates and their covariance, for everybody and for every group."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.export.design import is_listed
from estimators.shares.shares import ShareEstimates
from estimators.tables.question import estimate_question
from estimators.tables.rows import Row
from estimators.tables.table import estimate_table

COVARIANCE_COLUMNS = (
    *("question", "group", "option_1", "option_2"),
    *("noise_covariance", "sampling_covariance", "population_covariance"),
)
# The tally of each question, by group; the group '' is everybody.
Tallies = Mapping[str, Mapping[str, Tally]]


def estimates(survey: Survey, tallies: Tallies) -> list[Row]:
    """Return the one table of estimates, everybody first."""
    return [
        row
        for group, counted in tallies.items()
        for row in estimate_table(survey, counted, group=group)
    ]


def covariance(survey: Survey, tallies: Tallies) -> Iterator[dict[str, Any]]:
    """Yield the covariance of every two options' estimated shares; times n^2, of the totals."""
    for group, counted in tallies.items():
        for question in survey.questions:
            tally = counted[question.id]
            if is_listed(question) and tally.n:
                estimates = estimate_question(question, tally)
                assert isinstance(estimates, ShareEstimates)
                for row in _triangle(estimates):
                    yield {"question": question.id, "group": group, **row}


def _triangle(estimates: ShareEstimates) -> Iterator[dict[str, Any]]:
    found = estimates.covariance()
    parts = {
        "noise_covariance": found.noise,
        "sampling_covariance": found.sampling,
        "population_covariance": found.population,
    }
    count = len(estimates.shares)
    for first in range(count):
        for second in range(first, count):
            figures = {name: float(matrix[first, second]) for name, matrix in parts.items()}
            yield {
                "option_1": first,
                "option_2": second,
                # A box that nobody was asked about has no covariance.
                **{
                    name: value if math.isfinite(value) else None for name, value in figures.items()
                },
            }
