"""The margin against the number of respondents for several epsilons, to be drawn (math 12)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from client.authoring.draft.from_survey import at_epsilon
from client.core.mechanisms import TwoLevel
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from estimators.confidence import CONFIDENCE
from estimators.planning.survey_plan import range_of, spread_of, unit_of
from estimators.planning.target import UNKNOWN_SHARE, margin_for
from estimators.plots.panels import Curve, Line, MarginPanel

# From a few school classes to a national panel.
RESPONDENTS = tuple(float(n) for n in np.geomspace(100, 100_000, 25))
EPSILONS = tuple(map(Decimal, ("0.25", "0.5", "1", "2", "4")))


def survey_panels(
    survey: Survey,
    epsilons: Sequence[Decimal],
    share: float = UNKNOWN_SHARE,
    confidence: float = CONFIDENCE,
) -> list[MarginPanel]:
    """Return a panel per question at every epsilon, which is that question's own; none without."""
    part = survey.asked / len(survey.questions)
    return [
        question_panel(question, epsilons, share, confidence, part)
        for question in survey.questions
        if epsilons
    ]


def question_panel(
    question: Question,
    epsilons: Sequence[Decimal],
    share: float = UNKNOWN_SHARE,
    confidence: float = CONFIDENCE,
    part: float = 1.0,
) -> MarginPanel:
    """Return a question's panel, at each epsilon with the mechanism the rule would choose."""
    panel = mechanism_panel(
        question.prompt,
        lambda epsilon: at_epsilon(question, epsilon).mechanism,
        epsilons,
        share,
        confidence,
        unit_of(question) ** 2 / part,
    )
    if range_of(question.mechanism) is None:
        return panel
    return replace(panel, unit=question.unit)


def mechanism_panel(
    title: str,
    mechanism_at: Callable[[Decimal], TwoLevel],
    epsilons: Sequence[Decimal],
    share: float = UNKNOWN_SHARE,
    confidence: float = CONFIDENCE,
    factor: float = 1.0,
) -> MarginPanel:
    """Return the panel of a mechanism; `factor` multiplies the variance one respondent adds."""

    def line(variance: float) -> Line:
        margins = (margin_for(factor * variance, n, confidence) for n in RESPONDENTS)
        return Line(RESPONDENTS, tuple(margins))

    spreads = [spread_of(mechanism_at(epsilon), share) for epsilon in epsilons]
    curves = tuple(
        Curve(decimal_text(epsilon), line(spread.both))
        for epsilon, spread in zip(epsilons, spreads, strict=True)
    )
    return MarginPanel(title, curves, line(spreads[0].sampling))
