"""Whole reports of synthetic respondents, as the wire carries them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from client.mechanisms import TwoLevel
from client.report import Report
from client.simulate.respondents import draw_asked
from client.simulate.samplers import Answers, numbers_per_respondent, randomize, wire
from client.simulate.source import Flags, Integers, Source
from client.simulate.truths import Truths
from client.survey import Survey

# Reports in a block: writing them takes far longer than the draw, so nobody need wait for many.
MOST_IN_BLOCK = 2**14
# And a block's randomized answers take no more than this many numbers.
BLOCK_NUMBERS = 2**22


@dataclass(frozen=True)
class Columns:
    """The reports of some respondents, question by question: what files are written from.

    `randomized[id]` has one entry for each respondent, nested as on the wire: a number, a list,
    or a list of pairs. Where `asked[id]` is false the question was not asked, and the entry says
    nothing.
    """

    survey: Survey
    randomized: dict[str, Integers]
    asked: dict[str, Flags]

    def __len__(self) -> int:
        return len(next(iter(self.asked.values())))

    def reports(self) -> Iterator[Report]:
        """One by one."""
        columns = [self._plain(question.id) for question in self.survey.questions]
        for row in zip(*columns, strict=True):
            yield Report(self.survey.fingerprint, dict(zip(self.randomized, row, strict=True)))

    def _plain(self, id: str) -> list[Any]:
        entries = zip(self.randomized[id].tolist(), self.asked[id].tolist(), strict=True)
        return [entry if asked else None for entry, asked in entries]


def simulate_columns(truths: Truths, n: int, source: Source) -> Iterator[Columns]:
    """Reports of n respondents in blocks; which questions and boxes they are about is drawn
    uniformly.
    """
    room = sum(numbers_per_respondent(question.mechanism) for question in truths.survey.questions)
    size = max(1, min(MOST_IN_BLOCK, BLOCK_NUMBERS // room))
    for first in range(0, n, size):
        yield _block(truths, first, min(size, n - first), source)


def simulate_reports(truths: Truths, n: int, source: Source) -> Iterator[Report]:
    """The same one by one."""
    for columns in simulate_columns(truths, n, source):
        yield from columns.reports()


def _block(truths: Truths, first: int, n: int, source: Source) -> Columns:
    survey = truths.survey
    answers = truths.draw(n, source, first)
    flags = draw_asked(survey, n, source)
    asked = {question.id: flags[:, i] for i, question in enumerate(survey.questions)}
    # Truths may come with alike ones together, which no ballot box would show.
    order = source.permutation(n)
    randomized = {
        question.id: _column(
            question.mechanism, answers[question.id][order], asked[question.id], source
        )
        for question in survey.questions
    }
    return Columns(survey, randomized, asked)


def _column(mechanism: TwoLevel, answers: Answers, asked: Flags, source: Source) -> Integers:
    """One question's randomized answers; zeros for those who were not asked."""
    reports = wire(mechanism, randomize(mechanism, answers[asked], source))
    column = np.zeros((len(asked), *reports.shape[1:]), dtype=reports.dtype)
    column[asked] = reports
    return column
