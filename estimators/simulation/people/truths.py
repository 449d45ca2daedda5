"""What synthetic respondents truly answer, and what a sample of them answered and reported."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.domain import Checks
from client.core.question import Question
from client.core.survey import Survey
from estimators.simulation.kernels.samplers import Answers, answer_dtype
from estimators.simulation.kernels.source import Integers, Source
from estimators.simulation.people.shares import Shares, count_of

Chances = NDArray[np.float64]
Table = dict[str, Answers]


@dataclass(frozen=True)
class Law:
    """How all respondents together answer one question: distinct answers with their chances.

    With `ticks` there is one more chance than answers: that of a person who ticks every box
    independently of the others, each with its own share.
    """

    answers: Answers
    chances: Chances
    ticks: Chances | None = None

    def shares(self, count: int) -> Shares:
        """Return the share of every option or level, or of those who tick each box."""
        distinct = self.chances[: len(self.answers)]
        if self.answers.ndim == 1:
            return tuple(np.bincount(self.answers, distinct, minlength=count).tolist())
        ticked = distinct @ self.answers
        if self.ticks is not None:
            ticked = ticked + self.chances[-1] * self.ticks
        return tuple(ticked.tolist())


class Truths(Protocol):
    """People from whom respondents are drawn."""

    @property
    def survey(self) -> Survey: ...

    @property
    def size(self) -> int | None:
        """The number of people if each of them answers once; None if anybody may answer again."""

    @property
    def laws(self) -> Mapping[str, Law]:
        """The law of every question, including skip logic."""

    def draw(self, n: int, source: Source, first: int = 0) -> Table:
        """Draw the answers of n respondents to every question, one row each.

        Respondents are unordered, and equal ones may stand together. If each person answers once,
        these are the people from number `first` on.
        """

    def truths(self) -> dict[str, Shares]:
        """Return the true shares among all people, including those who do not see a question."""


def true_shares(survey: Survey, laws: Mapping[str, Law]) -> dict[str, Shares]:
    """Return the shares of options, levels and boxes that the laws of all questions give."""
    return {
        question.id: laws[question.id].shares(count_of(question.domain))
        for question in survey.questions
    }


def law_of(
    question: Question,
    answers: Answers,
    chances: Chances,
    free: float = 0.0,
    ticks: Chances | None = None,
) -> Law:
    """Return the law of answers, some of which may be equal or impossible.

    `free` is the chance of a person who ticks each box independently, with the shares `ticks`.
    """
    possible = chances > 0
    distinct, place = np.unique(answers[possible], axis=0, return_inverse=True)
    weights: Chances = np.zeros(len(distinct))
    np.add.at(weights, place.ravel(), chances[possible])
    whole = weights.sum() + free
    numbers = distinct.astype(answer_dtype(question.mechanism))
    if free > 0:
        return Law(numbers, np.array([*weights, free]) / whole, ticks)
    return Law(numbers, weights / whole)


def draw_counts(n: int, chances: Chances, source: Source) -> Integers:
    """Draw how many of n respondents give each answer; never one with chance zero."""
    counts = np.zeros(len(chances), dtype=np.int64)
    possible = np.flatnonzero(chances)
    counts[possible] = source.multinomial(n, chances[possible] / chances[possible].sum())
    return counts


def hidden_answer(question: Question) -> Answers:
    """Return the answer to a question that skip logic hides, as one row of answers."""
    return as_row(question, question.kind.hidden_answer)


def as_row(question: Question, answer: int | list[int]) -> Answers:
    """Return an answer as the bulk samplers take it: a number, or a flag for every box."""
    dtype = answer_dtype(question.mechanism)
    if isinstance(question.domain, Checks):
        return np.isin(np.arange(question.domain.options), answer)
    return np.asarray(answer, dtype=dtype)


@dataclass(frozen=True)
class Sample:
    """One question of a sample: true answers counted per option, level or box, and the tally.

    Both are of the `n` respondents who were asked the question.
    """

    answers: Integers
    cells: Integers
    n: int

    def __add__(self, other: "Sample") -> "Sample":
        return Sample(self.answers + other.answers, self.cells + other.cells, self.n + other.n)


# One sample for every question of a survey, by its id.
SurveySample = Mapping[str, Sample]


def together(*samples: SurveySample) -> SurveySample:
    """Return the sample that these parts make up."""
    first, *others = samples
    for other in others:
        first = {id: sample + other[id] for id, sample in first.items()}
    return first
