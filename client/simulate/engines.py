"""The ways to draw a sample, how large a one each can, and which of them suits a study."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from client.simulate.aggregate import aggregate_draws, draw_sample, why_not_aggregate
from client.simulate.respondents import block_size, draw_block
from client.simulate.sample import SurveySample
from client.simulate.samplers import numbers_per_respondent
from client.simulate.source import Source
from client.simulate.truths import Truths
from client.survey import Survey

RESPONDENTS, AGGREGATE = "respondents", "aggregate"
MOST_RESPONDENTS = 10**10
# Beyond this numpy's binomial, which computes in floating point, would show.
MOST_AGGREGATE = 10**12
# Numbers to be drawn that take about a second.
SOON_DONE = 10**8
# A binomial draw takes about as long as so many numbers.
NUMBERS_PER_DRAW = 20


@dataclass(frozen=True)
class Engine:
    """A way to draw a sample, in blocks whose size depends on nothing but the survey."""

    most: int
    block_size: Callable[[Survey], int]
    draw: Callable[[Truths, int, int, Source], SurveySample]


ENGINES = {
    RESPONDENTS: Engine(MOST_RESPONDENTS, block_size, draw_block),
    AGGREGATE: Engine(MOST_AGGREGATE, lambda survey: MOST_AGGREGATE, draw_sample),
}


class Choice(NamedTuple):
    """The name of an engine and why it was chosen, in a phrase."""

    engine: str
    reason: str


def choose_engine(truths: Truths, respondents: int, repeats: int) -> Choice:
    """Every report is drawn where that is soon done, else the tallies where they are sooner."""
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
