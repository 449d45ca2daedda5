"""A population with given shares, and answers of any dependence between questions.

Shares are among the people who see a question. People to whom skip logic does not show it answer
that it does not apply, so the shares among all respondents differ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.primitives.domain import Checks
from client.core.primitives.refusal import require
from client.core.question import Question
from client.core.survey import Survey
from estimators.simulation.kernels.samplers import Answers
from estimators.simulation.kernels.source import Source
from estimators.simulation.people.scores import Steps, draw_ticks, steps_of
from estimators.simulation.people.shares import Shares
from estimators.simulation.people.skipping import chance_to_see, shown_rows
from estimators.simulation.people.truths import (
    Chances,
    Law,
    Table,
    draw_counts,
    hidden_answer,
    law_of,
    true_shares,
)


@dataclass(frozen=True)
class Population:
    """The shares of every question's options, or of its levels, among those who see it.

    With probability `dependence` one hidden score decides all of a person's answers. Otherwise each
    answer, and each box that can be ticked freely, has its own score. So the rank correlation of
    any two scores is `dependence`, and no share changes.
    """

    survey: Survey
    shares: Mapping[str, Sequence[float]]
    dependence: float = 0.0

    def __post_init__(self) -> None:
        require(
            isinstance(self.dependence, float) and 0 <= self.dependence <= 1,
            "bad_dependence",
            "dependence",
            dependence=self.dependence,
        )

    @property
    def size(self) -> None:
        """None: a sample never exhausts the population."""

    def draw(self, n: int, source: Source, first: int = 0) -> Table:
        """Draw the answers of n respondents, those with one score for all answers first."""
        agreeing = int(source.binomial(n, self.dependence))
        alone = self._draw_alone(n - agreeing, source)
        if agreeing == 0:
            return alone
        counts = draw_counts(agreeing, self._score_chances, source)
        return {
            id: np.concatenate([np.repeat(column, counts, axis=0), alone[id]])
            for id, column in self._by_score.items()
        }

    def truths(self) -> dict[str, Shares]:
        """Return the shares as given, or by the question's law if skip logic may hide it."""
        given = {
            question.id: tuple(self.shares[question.id])
            for question in self.survey.questions
            if question.show_if is None
        }
        return true_shares(self.survey, self.laws) | given

    @cached_property
    def laws(self) -> dict[str, Law]:
        """The laws of a mixture: people with one score for all answers, and with one for each."""
        seen = self._seen_alone()
        return {q.id: self._law(q, seen[q.id]) for q in self.survey.questions}

    def _law(self, question: Question, seen: float) -> Law:
        """Return a question's law; `seen` is the chance to see it if answers are independent."""
        alone = 1 - self.dependence
        steps = self._steps[question.id]
        parts = [(self._by_score[question.id], self.dependence * self._score_chances)]
        if question.show_if is not None:
            parts.append((hidden_answer(question)[np.newaxis], np.array([alone * (1 - seen)])))
        if not _is_free(question):
            parts.append((steps.answers, alone * seen * steps.chances))
        answers, chances = (np.concatenate(column) for column in zip(*parts, strict=True))
        if _is_free(question):
            ticks = np.asarray(self.shares[question.id])
            return law_of(question, answers, chances, alone * seen, ticks)
        return law_of(question, answers, chances)

    def _seen_alone(self) -> dict[str, float]:
        """Return the chance to see each question if answers are independent of each other."""
        given = {id: steps.chances for id, steps in self._steps.items()}
        return {
            question.id: chance_to_see(question, self.survey, given)
            for question in self.survey.questions
        }

    @cached_property
    def _steps(self) -> dict[str, Steps]:
        return {
            question.id: steps_of(question, self.shares[question.id])
            for question in self.survey.questions
        }

    def _draw_alone(self, n: int, source: Source) -> Table:
        """Draw answers of people whose answers each have their own score."""
        answers: Table = {}
        for question in self.survey.questions:
            steps = self._steps[question.id]
            if _is_free(question):
                drawn: Answers = draw_ticks(np.asarray(self.shares[question.id]), n, source)
            elif answers:
                drawn = steps.draw(n, source)
            else:
                # Respondents are unordered, so the first question may sort them.
                drawn = steps.draw_sorted(n, source)
            answers[question.id] = _hide(question, drawn, answers)
        return answers

    @cached_property
    def _scores(self) -> Chances:
        """The scores at which some answer changes, the lowest first."""
        return np.unique(
            [0.0, *(bound for steps in self._steps.values() for bound in steps.bounds)]
        )

    @property
    def _score_chances(self) -> Chances:
        return np.diff([*self._scores, 1.0])

    @cached_property
    def _by_score(self) -> Table:
        """The answers of people with one score for all answers, by that score."""
        answers: Table = {}
        for question in self.survey.questions:
            drawn = self._steps[question.id].at(self._scores)
            answers[question.id] = _hide(question, drawn, answers)
        return answers


def _hide(question: Question, drawn: Answers, answers: Mapping[str, Answers]) -> Answers:
    """Return the answers, with "does not apply" where earlier answers hide the question."""
    if question.show_if is not None:
        drawn[~shown_rows(question.show_if, answers)] = hidden_answer(question)
    return drawn


def _is_free(question: Question) -> bool:
    """Return whether any number of boxes can be ticked, each independently."""
    domain = question.domain
    return isinstance(domain, Checks) and domain.at_most == domain.options
