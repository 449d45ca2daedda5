"""Decide what one report is about: which questions, and which of their boxes (math 11).

On an open survey the ticket decides, and a report about anything else is refused. That does not
stop forgers from aiming: tickets are free there, so they can throw unwanted ones away, and the
printed bound on forged reports allows for it. With personal invitations the device draws instead,
so that nobody can narrow a report down to one link.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from client.core.primitives.refusal import require
from client.core.primitives.words import Words, subset
from client.core.question import Question
from client.core.survey import BY_TICKET, Survey


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


def draw_assignment(survey: Survey, ticket: str, words: Words) -> Assignment:
    """Draw an assignment from the ticket or from the device's words, as the survey says."""

    def source(name: str) -> Words:
        return TicketWords(ticket, name) if survey.drawn_by == BY_TICKET else words

    return _draw(survey, source)


def check_assignment(survey: Survey, ticket: str, randomized: dict[str, Any]) -> None:
    """Raise if a report is about other questions or boxes than its ticket assigns."""
    if survey.drawn_by != BY_TICKET:
        return
    assigned = _draw(survey, lambda name: TicketWords(ticket, name))
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


def _draw(survey: Survey, source: Callable[[str], Words]) -> Assignment:
    asked = _asked(survey, source)
    parts = {item.id: item.mechanism.draw_assignment(source(item.id)) for item in asked}
    boxes = {id: part for id, part in parts.items() if part is not None}
    return Assignment(tuple(question.id for question in asked), boxes)


def _asked(survey: Survey, source: Callable[[str], Words]) -> list[Question]:
    """Return all questions, or a uniform subset; the subset is drawn under the empty name."""
    if not survey.ask_each_person:
        return list(survey.questions)
    chosen = subset(source(""), len(survey.questions), survey.ask_each_person)
    return [survey.questions[i] for i in chosen]
