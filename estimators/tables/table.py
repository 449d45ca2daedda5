"""Estimates as one tidy table, a row per estimated quantity, for CSV, JSON and pages alike.

`quantity` says what `value`, `low` and `high` are about: the share of an option, a mean, the share
up to a level. Columns that do not apply to a quantity are None, and so is every figure of a
question without reports.
"""

from collections.abc import Mapping
from typing import Any

from client.core.primitives.domain import Levels
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from estimators.confidence import CONFIDENCE
from estimators.counting.tally import Tally
from estimators.shares.shares import ShareEstimates
from estimators.tables.level_rows import empty_level_rows, level_rows
from estimators.tables.question import estimate_question
from estimators.tables.rows import FIGURES, Row, empty_rows, share_rows, summary_rows

COLUMNS = (
    *("question", "group", "quantity", "option", "label", "n"),
    *FIGURES,
    *("method", "confidence", "epsilon", "mechanism", "p", "q", "version"),
)


def estimate_table(
    survey: Survey,
    tallies: Mapping[str, Tally],
    confidence: float = CONFIDENCE,
    exact: bool = False,
    group: str = "",
) -> list[Row]:
    """Return everything that the tallies say about every question; the group '' is everybody."""
    return [
        row | {"group": group, "version": survey.version}
        for question in survey.questions
        for row in question_rows(question, tallies[question.id], confidence, exact)
    ]


def question_rows(
    question: Question, tally: Tally, confidence: float = CONFIDENCE, exact: bool = False
) -> list[Row]:
    """Return the rows of one question; the options' shares come first."""
    mechanism, support = question.mechanism, question.mechanism.support
    common: dict[str, Any] = {
        "confidence": confidence,
        "epsilon": decimal_text(question.epsilon),
        "mechanism": mechanism.name,
        "p": support and float(support[0]),
        "q": support and float(support[1]),
    }
    heading = {"question": question.id, "group": ""}
    return [
        heading | {"n": tally.n} | row | common for row in _rows(question, tally, confidence, exact)
    ]


def _rows(question: Question, tally: Tally, confidence: float, exact: bool) -> list[Row]:
    if tally.n == 0:
        domain, silence = question.domain, question.kind.silence
        if isinstance(domain, Levels):
            return empty_level_rows(domain.top, silence)
        return empty_rows(question)
    estimates = estimate_question(question, tally)
    if isinstance(estimates, ShareEstimates):
        shares = share_rows(estimates, question.options, confidence, exact)
        return [*shares, *summary_rows(question, estimates, confidence)]
    return level_rows(estimates, question.kind.silence, confidence, exact)
