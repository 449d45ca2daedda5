"""Tallies in the making: the reports of one survey, counted question by question."""

from typing import Any

from client.question import Question
from client.survey import Survey
from estimators.tally import Tally


class Counting:
    """One count per cell of every question, and how often each was asked."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._counts = {item.id: [0] * item.mechanism.cells for item in survey.questions}
        self._asked = dict.fromkeys(self._counts, 0)

    def add(self, question: Question, randomized: Any, times: int) -> None:
        """So many reports with this randomized answer."""
        self._asked[question.id] += times
        counts = self._counts[question.id]
        for cell in question.mechanism.cells_of(randomized):
            counts[cell] += times

    @property
    def is_empty(self) -> bool:
        return not any(self._asked.values())

    def tallies(self) -> dict[str, Tally]:
        return {id: Tally(tuple(counts), self._asked[id]) for id, counts in self._counts.items()}
