"""Turn simulated surveys into the panels of a plot, one for each question."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TypeVar

import numpy as np

from client.core.primitives.values import decimal_text
from client.core.question import Question
from estimators.curator.distrust import Price, average_price
from estimators.plots.panels import (
    Curve,
    ErrorCurve,
    ErrorPanel,
    Estimated,
    EstimatePanel,
    Line,
    PricePanel,
)
from estimators.simulation.people.truths import Truths
from estimators.study.study import Study
from estimators.study.sweep import CellResult
from estimators.tables.promised_errors import value_of_levels

# How far a line extends beyond the smallest and the largest survey, as a factor; its points.
BEYOND, POINTS = 2.0, 40

CellResults = Sequence[CellResult]
C = TypeVar("C")


def estimate_panels(result: CellResult) -> list[EstimatePanel]:
    """Return a panel per question with every figure of one survey."""
    return [
        EstimatePanel(
            question.prompt,
            tuple(
                Estimated(study.label, study.truth, study.mean_estimate, study.promised_error)
                for study in result.studies[question.id]
                if study.repeats
            ),
            _unit(question),
        )
        for question in result.plan.truths.survey.questions
    ]


def error_panels(results: CellResults) -> list[ErrorPanel]:
    """Return a panel per question: errors by respondents, a curve for each epsilon."""
    return [
        ErrorPanel(question.prompt, curves, _unit(question))
        for question, curves in _curves(results, _error_curve)
    ]


def price_panels(results: CellResults) -> list[PricePanel]:
    """Return a panel per question: the price of trusting nobody, a curve for each epsilon."""
    return [
        PricePanel(question.prompt, curves) for question, curves in _curves(results, _price_curve)
    ]


def _curves(
    results: CellResults, curve: Callable[[CellResults, int], C]
) -> Iterator[tuple[Question, tuple[C, ...]]]:
    """Yield each question with a curve for each epsilon."""
    by_epsilon = _by_epsilon(results)
    for position, question in enumerate(results[0].plan.truths.survey.questions):
        yield question, tuple(curve(cells, position) for cells in by_epsilon)


def _by_epsilon(results: CellResults) -> list[list[CellResult]]:
    groups = groupby(results, key=lambda item: id(item.plan.truths))
    return [sorted(cells, key=lambda item: item.plan.respondents) for _, cells in groups]


def _epsilon(cells: CellResults) -> str:
    return decimal_text(cells[0].plan.truths.survey.total_epsilon)


def _error_curve(cells: CellResults, position: int) -> ErrorCurve:
    question = cells[0].plan.truths.survey.questions[position]
    measured = Line(
        tuple(float(item.plan.respondents) for item in cells),
        tuple(_error(item.studies[question.id]) for item in cells),
    )
    return ErrorCurve(
        _epsilon(cells),
        measured,
        promised=_line(cells, position, lambda price: price.local_error),
        central=_line(cells, position, lambda price: price.central_error),
        repeats=min(item.repeats for item in cells),
    )


def _price_curve(cells: CellResults, position: int) -> Curve:
    return Curve(_epsilon(cells), _line(cells, position, lambda price: price.ratio))


def _line(cells: CellResults, position: int, figure: Callable[[Price], float]) -> Line:
    """Return what the formulas say, from below the smallest survey to above the largest."""
    sizes = [item.plan.respondents for item in cells]
    points = np.geomspace(max(1.0, min(sizes) / BEYOND), max(sizes) * BEYOND, POINTS).tolist()
    truths = cells[0].plan.truths
    prices = [_average_price(truths, position, respondents) for respondents in points]
    return Line(tuple(points), tuple(map(figure, prices)))


def _error(studies: tuple[Study, ...]) -> float:
    known = [study.rmse**2 for study in studies if study.repeats]
    return math.sqrt(math.fsum(known) / (len(known) or math.nan))


def _average_price(truths: Truths, position: int, respondents: float) -> Price:
    """Return the average price over a question's options, if this many answer the survey."""
    survey = truths.survey
    question = survey.questions[position]
    shares = np.array(truths.truths()[question.id])
    n = max(1, round(respondents * survey.asked / len(survey.questions)))
    return average_price(question, shares, n)


def _unit(question: Question) -> str | None:
    return None if value_of_levels(question) is None else question.unit
