"""People whose true answers are known one by one, such as those of an earlier survey."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.shares import Shares
from client.simulate.samplers import Answers
from client.simulate.source import Source
from client.simulate.truths import Law, Table, law_of, true_shares
from client.survey import Survey


@dataclass(frozen=True)
class People:
    """One row of true answers per person; respondents are drawn from them with replacement.

    So every row stands for many people who are alike.
    """

    survey: Survey
    answers: Mapping[str, Answers]

    def __len__(self) -> int:
        return len(next(iter(self.answers.values())))

    @property
    def size(self) -> int | None:
        """Endless: the same row may be drawn again and again."""
        return None

    def draw(self, n: int, source: Source, first: int = 0) -> Table:
        drawn = source.integers(len(self), size=n)
        return {id: column.take(drawn, axis=0) for id, column in self.answers.items()}

    @cached_property
    def laws(self) -> dict[str, Law]:
        each = np.ones(len(self))
        return {
            question.id: law_of(question, self.answers[question.id], each)
            for question in self.survey.questions
        }

    def truths(self) -> dict[str, Shares]:
        return true_shares(self.survey, self.laws)

    def census(self) -> "Census":
        """The same people, if each of them answers once."""
        return Census(self.survey, self.answers)


@dataclass(frozen=True)
class Census(People):
    """People each of whom answers once: only the randomizer differs between two samples."""

    @property
    def size(self) -> int:
        return len(self)

    def draw(self, n: int, source: Source, first: int = 0) -> Table:
        return {id: column[first : first + n] for id, column in self.answers.items()}
