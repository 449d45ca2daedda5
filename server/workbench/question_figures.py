"""A question's figures in words: margin, randomizer and odds, and a survey's total epsilon.

The planner computes all of it; the odds are worded as respondents read them.
"""

from dataclasses import dataclass
from typing import Any

from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.wording.catalogue import ENGLISH
from client.wording.levels import level_name
from client.wording.mechanisms import sends
from client.wording.odds import odds_sentences
from estimators.planning.survey_plan import Target, plan_survey
from estimators.planning.wording import margin_text, silence_assumed


@dataclass(frozen=True)
class QuestionFigures:
    """One question's figures, as text."""

    margin: str
    epsilon: str
    mechanism: str
    sends: str
    noise: str
    effective: str
    odds: list[str]
    # What the margin assumes about people who decline; empty if it assumes nothing.
    assumption: str


@dataclass(frozen=True)
class Figures:
    """The figures of a whole survey at a planned number of respondents."""

    total: str
    level: str
    guess: str
    questions: list[QuestionFigures]


def figures_of(survey: Survey, respondents: int) -> Figures:
    """Return the figures of a survey if so many people answer."""
    rows = plan_survey(survey, Target(respondents=respondents))
    return Figures(
        decimal_text(survey.total_epsilon),
        level_name(survey.total_epsilon),
        ENGLISH.whole_survey(survey.asked, survey.total_epsilon),
        [_question_figures(*pair) for pair in zip(survey.questions, rows, strict=True)],
    )


def _question_figures(question: Question, row: dict[str, Any]) -> QuestionFigures:
    effective, noise = row["effective_n"], row["noise_per_respondent"]
    return QuestionFigures(
        margin_text(question, row["margin"]),
        row["epsilon"],
        question.mechanism.title,
        sends(question.mechanism),
        f"{noise:,.0f}" if noise >= 1000 else f"{noise:.3g}",
        "" if effective is None else f"{round(effective):,}",
        odds_sentences(question, ENGLISH),
        silence_assumed(question.mechanism),
    )
