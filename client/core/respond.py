"""Answers and words become a Report: the only road from a true answer to the wire."""

from collections.abc import Mapping
from typing import Any

from client.core.assignment import Asking
from client.core.primitives.words import SecureWords, Words
from client.core.question import Question
from client.core.report import Report
from client.core.survey import Survey


def respond(
    survey: Survey, asking: Asking, answers: Mapping[str, Any], words: Words | None = None
) -> Report:
    """Randomize every asked question once. Words are secure unless a test brings its own tape."""
    source = SecureWords() if words is None else words
    return Report(
        survey.fingerprint,
        {
            question.id: _randomize(question, asking, answers[question.id], source)
            if question.id in asking.questions
            else None
            for question in survey.questions
        },
    )


def _randomize(question: Question, asking: Asking, answer: Any, words: Words) -> Any:
    question.domain.check(answer, question.id)
    assigned = asking.boxes.get(question.id)
    return question.mechanism.randomize_assigned(answer, words, assigned)
