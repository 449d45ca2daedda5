"""The two ways to draw a sample: every report in blocks, or the tally itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from client.core.primitives.domain import Checks
from client.core.question import Question
from client.core.survey import Survey
from estimators.simulation.aggregate.engine import draw_sample, why_not_aggregate
from estimators.simulation.aggregate.laws import aggregate_draws
from estimators.simulation.kernels.draws import below
from estimators.simulation.kernels.kernel import count as count_codes
from estimators.simulation.kernels.samplers import (
    Answers,
    answer_dtype,
    draw_tally,
    numbers_per_respondent,
)
from estimators.simulation.kernels.source import Flags, Integers, Source
from estimators.simulation.people.shares import count_of
from estimators.simulation.people.truths import Sample, SurveySample, Truths

# Respondents per block: enough for numpy to be fast, few enough for the cache and a progress bar.
MOST_IN_BLOCK = 2**20
# The true answers of a block take at most this many bytes.
BLOCK_BYTES = 2**24


def block_size(survey: Survey) -> int:
    """Return the respondents per block; only the survey counts, or threads would change results."""
    row = sum(_bytes(question) for question in survey.questions)
    return max(1, min(MOST_IN_BLOCK, BLOCK_BYTES // row))


def draw_block(truths: Truths, first: int, n: int, source: Source) -> SurveySample:
    """Draw what n respondents, from number `first` on, answer and report."""
    survey = truths.survey
    answers = truths.draw(n, source, first)
    asked = draw_asked(survey, n, source) if survey.ask_each_person else None
    samples = {}
    for position, question in enumerate(survey.questions):
        given = answers[question.id]
        if asked is not None:
            given = given[asked[:, position]]
        counts = count_answers(given, count_of(question.domain))
        samples[question.id] = Sample(
            counts, draw_tally(question.mechanism, given, source), len(given)
        )
    return samples


def draw_asked(survey: Survey, n: int, source: Source) -> Flags:
    """Draw which questions each respondent is asked, as if tickets were drawn uniformly.

    Question by question: a person who still needs r of the R remaining ones is asked the next with
    probability r / R, which makes all sets of questions equally likely.
    """
    count = len(survey.questions)
    asked = np.empty((n, count), dtype=np.bool_)
    needed = np.full(n, survey.asked)
    for position in range(count):
        asked[:, position] = below(count - position, n, source) < needed
        needed -= asked[:, position]
    return asked


def count_answers(answers: Answers, count: int) -> Integers:
    """Count how many people gave each option or level, or ticked each box."""
    if answers.ndim == 2:
        return np.array([np.count_nonzero(box) for box in answers.T])
    if count == 2:
        return count_codes(answers.view(np.bool_), count)
    return count_codes(answers, count)


def _bytes(question: Question) -> int:
    boxes = question.domain.options if isinstance(question.domain, Checks) else 1
    return boxes * answer_dtype(question.mechanism).itemsize


RESPONDENTS, AGGREGATE = "respondents", "aggregate"
MOST_RESPONDENTS = 10**10
# Beyond this the floating-point errors of numpy's binomial would be visible.
MOST_AGGREGATE = 10**12
# Drawing this many numbers takes about a second.
SOON_DONE = 10**8
# A binomial draw takes about as long as drawing this many numbers.
NUMBERS_PER_DRAW = 20


@dataclass(frozen=True)
class Engine:
    """A way to draw a sample, in blocks whose size depends only on the survey."""

    most: int
    block_size: Callable[[Survey], int]
    draw: Callable[[Truths, int, int, Source], SurveySample]


ENGINES = {
    RESPONDENTS: Engine(MOST_RESPONDENTS, block_size, draw_block),
    AGGREGATE: Engine(MOST_AGGREGATE, lambda survey: MOST_AGGREGATE, draw_sample),
}


class Choice(NamedTuple):
    """The name of an engine, and in a phrase why it was chosen."""

    engine: str
    reason: str


def choose_engine(truths: Truths, respondents: int, repeats: int) -> Choice:
    """Choose to draw every report if that is quick, else tallies if they are quicker."""
    questions = truths.survey.questions
    numbers = respondents * sum(numbers_per_respondent(q.mechanism) for q in questions)
    if numbers * repeats <= SOON_DONE:
        return Choice(RESPONDENTS, "few enough to draw every report")
    hindrance = why_not_aggregate(truths)
    if hindrance is not None:
        return Choice(RESPONDENTS, hindrance)
    draws = sum(aggregate_draws(q.mechanism, truths.laws[q.id]) for q in questions)
    if draws * NUMBERS_PER_DRAW >= numbers:
        return Choice(RESPONDENTS, "drawing every report takes no longer than drawing tallies")
    return Choice(AGGREGATE, "too many to draw every report")
