"""Synthetic truths: the answers of respondents drawn from a population with given shares.

Shares are those among the people who see a question. Whom skip logic spares it, answers that it
does not apply, so that the shares of all respondents differ from them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from client.domain import Checks
from client.question import Question
from client.simulate.samplers import Answers
from client.simulate.source import Flags, Source
from client.survey import Survey


@dataclass(frozen=True)
class Population:
    """The shares of every question's options, or of its levels, among those who see it."""

    survey: Survey
    shares: Mapping[str, Sequence[float]]

    def draw(self, n: int, source: Source) -> dict[str, Answers]:
        """The true answers of n respondents, question by question."""
        answers: dict[str, Answers] = {}
        for question in self.survey.questions:
            drawn = draw_answers(question, self.shares[question.id], n, source)
            drawn[~_shown(question, answers, n)] = _hidden(question)
            answers[question.id] = drawn
        return answers

    def truths(self) -> dict[str, tuple[float, ...]]:
        """The shares among all respondents, those who do not see a question included."""
        overall: dict[str, tuple[float, ...]] = {}
        for question in self.survey.questions:
            own = np.asarray(self.shares[question.id], dtype=np.float64)
            if question.show_if is not None:
                decider = overall[question.show_if.question]
                seen = sum(decider[option] for option in question.show_if.options)
                silent = np.zeros(len(own))
                silent[-1] = 1
                own = seen * own + (1 - seen) * silent
            overall[question.id] = tuple(own.tolist())
        return overall


def draw_asked(survey: Survey, n: int, source: Source) -> Flags:
    """Which of the questions each respondent is asked, as if the tickets were drawn uniformly."""
    count = len(survey.questions)
    # Ranks of random numbers: every set of questions is as likely as any other.
    ranks = source.permuted(np.tile(np.arange(count), (n, 1)), axis=1)
    return ranks < survey.asked


def draw_answers(question: Question, shares: Sequence[float], n: int, source: Source) -> Answers:
    """Independent answers with these shares; boxes are ticked as `at_most` allows."""
    domain = question.domain
    if not isinstance(domain, Checks):
        bounds = np.cumsum(shares)[:-1]
        return np.searchsorted(bounds, source.random(n), side="right")
    if domain.at_most == domain.options:
        return source.random((n, domain.options)) < np.asarray(shares)
    return _systematic(shares, domain.at_most, n, source)


def _systematic(shares: Sequence[float], at_most: int, n: int, source: Source) -> Flags:
    """Ticks with just these shares, their number never more than the shares' sum rounded up.

    Shares are laid end to end; a box is ticked if its stretch holds one of the points
    u, u + 1, u + 2, ... (systematic sampling).
    """
    ends = np.minimum(np.cumsum([0.0, *shares]), at_most)
    points = np.ceil(ends - source.random((n, 1)))
    ticked: Flags = np.diff(points, axis=1) > 0
    return ticked


def _shown(question: Question, answers: Mapping[str, Answers], n: int) -> Flags:
    rule = question.show_if
    if rule is None:
        return np.ones(n, dtype=np.bool_)
    return np.isin(answers[rule.question], rule.options)


def _hidden(question: Question) -> Answers:
    """The answer of a hidden question as one row of answers."""
    hidden = question.kind.hidden_answer
    if isinstance(question.domain, Checks):
        return np.isin(np.arange(question.domain.options), hidden)
    return np.asarray(hidden)
