"""Decide what one report is about: which questions, and which of their boxes (math 11).

The ticket decides, and a report about anything else is refused. On an invited survey nobody can
aim: a device cannot foretell the signature in its ticket, and each link buys one ticket. Tickets of
open surveys are free, so forgers can throw unwanted ones away, and the printed bound on forged
reports allows for it.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from client.core.primitives.refusal import require
from client.core.primitives.words import subset
from client.core.question import Question
from client.core.survey import Survey


class TicketWords:
    """The words of SHA-256(ticket|name|block), eight big-endian words per block (math 0.4)."""

    def __init__(self, ticket: str, name: str) -> None:
        self._prefix = f"{ticket}|{name}|"
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        if not self._words:
            digest = hashlib.sha256(f"{self._prefix}{self._block}".encode()).digest()
            self._words = [int.from_bytes(digest[i : i + 4]) for i in range(0, 32, 4)]
            self._block += 1
        return self._words.pop(0)


@dataclass(frozen=True)
class Assignment:
    """The ids of the questions that a report answers, and for some the sampled boxes."""

    questions: tuple[str, ...]
    boxes: dict[str, list[int]]


def draw_assignment(survey: Survey, ticket: str) -> Assignment:
    """Draw what the report with this ticket is about; the same ticket always draws the same."""
    asked = _asked(survey, ticket)
    parts = {
        question.id: question.mechanism.draw_assignment(TicketWords(ticket, question.id))
        for question in asked
    }
    boxes = {id: part for id, part in parts.items() if part is not None}
    return Assignment(tuple(question.id for question in asked), boxes)


def check_assignment(survey: Survey, ticket: str, randomized: dict[str, Any]) -> None:
    """Raise if a report is about other questions or boxes than its ticket assigns."""
    assigned = draw_assignment(survey, ticket)
    for question in survey.questions:
        value = randomized[question.id]
        require(
            (value is not None) == (question.id in assigned.questions),
            "not_assigned.questions",
            question.id,
        )
        part = assigned.boxes.get(question.id)
        require(
            part is None or question.mechanism.assignment_of(value) == part,
            "not_assigned.options",
            question.id,
        )


def _asked(survey: Survey, ticket: str) -> list[Question]:
    """Return all questions, or a uniform subset; the subset is drawn under the empty name."""
    if not survey.ask_each_person:
        return list(survey.questions)
    words = TicketWords(ticket, "")
    chosen = subset(words, len(survey.questions), survey.ask_each_person)
    return [survey.questions[i] for i in chosen]
