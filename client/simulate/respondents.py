"""The engine that draws every report, in blocks that each have a stream of their own."""

import numpy as np

from client.domain import Checks
from client.question import Question
from client.shares import count_of
from client.simulate.kernels.counting import count as count_codes
from client.simulate.kernels.draws import below
from client.simulate.sample import Sample, SurveySample
from client.simulate.samplers import Answers, answer_dtype, draw_tally
from client.simulate.source import Flags, Integers, Source
from client.simulate.truths import Truths
from client.survey import Survey

# Respondents in a block: enough for numpy to be fast, few enough for a cache and a progress bar.
MOST_IN_BLOCK = 2**20
# And the true answers of a block take no more than this many bytes.
BLOCK_BYTES = 2**24


def block_size(survey: Survey) -> int:
    """How many respondents make a block: by the survey alone, or threads would change results."""
    row = sum(_bytes(question) for question in survey.questions)
    return max(1, min(MOST_IN_BLOCK, BLOCK_BYTES // row))


def draw_block(truths: Truths, first: int, n: int, source: Source) -> SurveySample:
    """What n respondents, from number `first` on, answer and report."""
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
    """Which of the questions each respondent is asked, as if the tickets were drawn uniformly.

    One question after the other: whoever still needs r of the R that are left is asked the next
    with the chance r / R, so that every set of questions is as likely as any other.
    """
    count = len(survey.questions)
    asked = np.empty((n, count), dtype=np.bool_)
    needed = np.full(n, survey.asked)
    for position in range(count):
        asked[:, position] = below(count - position, n, source) < needed
        needed -= asked[:, position]
    return asked


def count_answers(answers: Answers, count: int) -> Integers:
    """How many answered each option or level, or ticked each box."""
    if answers.ndim == 2:
        return np.array([np.count_nonzero(box) for box in answers.T])
    if count == 2:
        return count_codes(answers.view(np.bool_), count)
    return count_codes(answers, count)


def _bytes(question: Question) -> int:
    boxes = question.domain.options if isinstance(question.domain, Checks) else 1
    return boxes * answer_dtype(question.mechanism).itemsize
