"""The engine that draws tallies directly: a survey of a billion in milliseconds.

Every mechanism is two-level, so what people with the same truth report together has a known law.
It is drawn exactly, as far as numpy's binomial is exact, with the published integer thresholds.
"""

import numpy as np

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from estimators.simulation.aggregate.checks import draw_private_set, draw_sampled_checks
from estimators.simulation.aggregate.choices import circle_tally, hadamard_tally
from estimators.simulation.aggregate.subsets import draw_subset_selection
from estimators.simulation.kernels.source import Integers, Source
from estimators.simulation.people.shares import count_of
from estimators.simulation.people.truths import Law, Sample, SurveySample, Truths, draw_counts

# A tally that would take more draws than this takes seconds, and too much memory.
MOST_DRAWS = 10**7


def draw_sample(truths: Truths, first: int, n: int, source: Source) -> SurveySample:
    """What n respondents answer and report, question by question.

    Each question's sample has the right law, but the questions do not vary together: no figure
    of a study is about more than one of them. So it is enough, too, how many are asked each.
    """
    survey = truths.survey
    samples = {}
    for question in survey.questions:
        part = survey.asked / len(survey.questions)
        asked = n if part == 1 else int(source.binomial(n, part))
        answers, cells = draw_reports(question.mechanism, truths.laws[question.id], asked, source)
        samples[question.id] = Sample(answers, cells, asked)
    return samples


def draw_reports(
    mechanism: TwoLevel, law: Law, n: int, source: Source
) -> tuple[Integers, Integers]:
    """The true answers of n people, counted, and the tally of their reports."""
    match mechanism:
        case SampledChecks():
            return draw_sampled_checks(mechanism, law, n, source)
        case PrivateSet():
            return draw_private_set(mechanism, law, n, source)
        case SubsetSelection(size=size) if size > 1:
            return draw_subset_selection(mechanism, law, n, source)
    answers = np.zeros(count_of(mechanism.domain), dtype=np.int64)
    answers[law.answers] = draw_counts(n, law.chances, source)
    match mechanism:
        case HadamardResponse():
            return answers, hadamard_tally(mechanism, answers, source)
        case RandomizedResponse() | SubsetSelection() | RandomThreshold() | SlidingWindow():
            return answers, circle_tally(mechanism, answers, source)
    raise TypeError(f"no tally is known for {mechanism}")


def aggregate_draws(mechanism: TwoLevel, law: Law) -> int:
    """About how many binomial draws one tally takes, however many people report."""
    rows, cells = len(law.chances), mechanism.cells
    match mechanism:
        case SampledChecks():
            return rows * mechanism.options * (mechanism.asked + 1)
        case PrivateSet():
            # Independent ticks must be multiplied out.
            rows = len(law.answers) + (0 if law.ticks is None else 2 ** len(law.ticks))
            return rows * cells * (mechanism.size + 1)
        case SubsetSelection(size=size) if size > 1:
            return 5 * cells * (size + 1)
    return 4 * cells * cells.bit_length()


def why_not_aggregate(truths: Truths) -> str | None:
    """Why these tallies cannot be drawn directly, as a phrase; None if they can."""
    if truths.size is not None:
        return "each of these people answers once, which is drawn one by one"
    for question in truths.survey.questions:
        law = truths.laws[question.id]
        if aggregate_draws(question.mechanism, law) > MOST_DRAWS:
            return f"{question.id} can be answered in too many ways to draw its tally directly"
    return None
