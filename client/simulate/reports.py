"""Whole reports of synthetic respondents, as the wire carries them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from client.report import Report
from client.simulate.population import Population, draw_asked
from client.simulate.samplers import numbers_per_respondent, randomize, wire
from client.simulate.source import Flags, Source, batches
from client.survey import Survey


def simulate_reports(population: Population, n: int, source: Source) -> Iterator[Report]:
    """Reports of n respondents; which questions and boxes they are about is drawn uniformly."""
    survey = population.survey
    ids = [question.id for question in survey.questions]
    for size in batches(n, numbers_of(survey)):
        answers = population.draw(size, source)
        asked = draw_asked(survey, size, source)
        columns = [
            _column(question.mechanism, answers[question.id], asked[:, position], source)
            for position, question in enumerate(survey.questions)
        ]
        for row in zip(*columns, strict=True):
            yield Report(survey.fingerprint, dict(zip(ids, row, strict=True)))


def numbers_of(survey: Survey) -> int:
    """How much room a step needs for each respondent to a whole survey."""
    return sum(numbers_per_respondent(question.mechanism) for question in survey.questions)


def _column(mechanism: Any, answers: Any, asked: Flags, source: Source) -> list[Any]:
    """One question's randomized answers; None for those who were not asked."""
    column: list[Any] = [None] * len(asked)
    reports = wire(mechanism, randomize(mechanism, answers[asked], source))
    for position, report in zip(np.flatnonzero(asked).tolist(), reports, strict=True):
        column[position] = report
    return column
