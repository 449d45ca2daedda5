"""Turn answers and random words into a report: the only path from a true answer to the wire."""

from collections.abc import Mapping
from typing import Any

from client.core.assignment import Assignment
from client.core.primitives.words import SecureWords, Words
from client.core.question import Question
from client.core.report import Report
from client.core.survey import Survey


def respond(
    survey: Survey,
    assignment: Assignment,
    answers: Mapping[str, Any],
    words: Words | None = None,
    group: str = "",
) -> Report:
    """Randomize each assigned question once. Words are secure unless a test passes its own tape.

    The group is sent as it is, and only if the survey asks people to choose one.
    """
    if survey.chosen_groups:
        survey.chosen_groups.check(group, "group")
    source = SecureWords() if words is None else words
    return Report(
        survey.fingerprint,
        {
            question.id: _randomize(question, assignment, answers[question.id], source)
            if question.id in assignment.questions
            else None
            for question in survey.questions
        },
        group if survey.chosen_groups else "",
    )


def _randomize(question: Question, assignment: Assignment, answer: Any, words: Words) -> Any:
    question.domain.check(answer, question.id)
    assigned = assignment.boxes.get(question.id)
    return question.mechanism.randomize_assigned(answer, words, assigned)
