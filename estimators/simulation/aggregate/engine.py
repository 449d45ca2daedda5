"""The engine that draws tallies directly: a survey of a billion in milliseconds.

Every mechanism is two-level, so the reports of people with the same truth have a known joint law.
It is drawn exactly, as far as numpy's binomial is exact, with the published thresholds.
"""

from estimators.simulation.aggregate.laws import aggregate_draws, draw_reports
from estimators.simulation.kernels.source import Source
from estimators.simulation.people.truths import Sample, SurveySample, Truths

# A tally that needs more draws than this takes seconds and too much memory.
MOST_DRAWS = 10**7


def draw_sample(truths: Truths, first: int, n: int, source: Source) -> SurveySample:
    """Draw what n respondents answer and report, question by question.

    Each question's sample has the right law, but the questions are independent of each other: no
    figure of a study is about more than one of them. For the same reason only the number of people
    who are asked each question is drawn.
    """
    survey = truths.survey
    samples = {}
    for question in survey.questions:
        part = survey.asked / len(survey.questions)
        asked = n if part == 1 else int(source.binomial(n, part))
        answers, cells = draw_reports(question.mechanism, truths.laws[question.id], asked, source)
        samples[question.id] = Sample(answers, cells, asked)
    return samples


def why_not_aggregate(truths: Truths) -> str | None:
    """Return why these tallies cannot be drawn directly, as a phrase; None if they can."""
    if truths.size is not None:
        return "each of these people answers once, which is drawn one by one"
    for question in truths.survey.questions:
        law = truths.laws[question.id]
        if aggregate_draws(question.mechanism, law) > MOST_DRAWS:
            return f"{question.id} can be answered in too many ways to draw its tally directly"
    return None
