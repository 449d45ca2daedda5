"""Answers and words become a Report: the only road from a true answer to the wire."""

from collections.abc import Mapping

from client.report import Report
from client.survey import Survey
from client.words import SecureWords, Words


def respond(survey: Survey, answers: Mapping[str, int], words: Words | None = None) -> Report:
    """Randomize every answer once. Words are secure unless a test brings its own tape."""
    source = SecureWords() if words is None else words
    return Report(
        survey.fingerprint,
        {
            question.id: question.mechanism.randomize(answers[question.id], source)
            for question in survey.questions
        },
    )
