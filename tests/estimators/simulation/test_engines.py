"""Two engines, one law: exactly on small shapes, statistically on large ones."""

import math
from collections import Counter
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy import stats

from client.authoring.draft.survey import build_survey
from client.core.kinds import AnyOf, Number, OneOf, Scale
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomThreshold,
    SlidingWindow,
    TwoLevel,
)
from client.core.question import Question
from client.core.survey import Survey
from estimators.simulation.engines import AGGREGATE, ENGINES
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question, zipf_shares
from estimators.simulation.people.truths import SurveySample
from estimators.simulation.running import Plan, run
from estimators.workers.threads import Threads
from tests.support.exact_tally import Chances, Outcome, law_of_samples
from tests.support.surveys import labels, one_of, sampled_boxes, survey_of, yes_no

# The chance that a test which samples fails although the engines agree.
FALSE_ALARM = 1e-6
ONE = Decimal(1)


def question(id: str, kind: Any, mechanism: TwoLevel) -> Question:
    return Question(id, f"{id}?", kind, ONE, mechanism)


def population(survey: Survey, *shares: str, dependence: float = 0.0) -> Population:
    return Population(survey, shares_by_question(survey, shares), dependence)


def samples_of(plan: Plan, jobs: int | None = None) -> list[SurveySample]:
    return list(run(plan, Threads(jobs)))


# Every mechanism in a shape whose law for two respondents can be written out.
TINY = survey_of(
    yes_no("rr", "1"),
    one_of("one", 3, "1"),
    one_of("few", 4, "1", size=2),
    question("hr", OneOf(options=labels(3)), HadamardResponse.at(ONE, options=3)),
    sampled_boxes("free", 2, 1, "1"),
    question(
        "set",
        AnyOf(options=labels(3), at_most=2),
        PrivateSet.at(ONE, options=3, at_most=2, size=2),
    ),
    question("rt", Scale(lo=0, hi=2, goal="mean"), RandomThreshold.at(ONE, top=2)),
    question(
        "isw",
        Number(lo=Decimal(0), hi=Decimal(2), step=ONE),
        SlidingWindow.at(ONE, top=2, width=1),
    ),
)
TINY_SHARES = ("one=0.5,0.3,0.2", "few=0.4,0.3,0.2,0.1", "free=0.25,0.5", "set=0.7,0.6,0.2")


def exact_law(people: Population, question: Question, n: int) -> dict[Outcome, float]:
    law = people.laws[question.id]
    boxes = law.answers.ndim == 2
    chances: Chances = [
        (np.flatnonzero(answer).tolist() if boxes else int(answer), float(chance))
        for answer, chance in zip(law.answers, law.chances, strict=False)
    ]
    if law.ticks is not None:
        for ticked in np.ndindex(*(2,) * len(law.ticks)):
            chance = float(np.where(ticked, law.ticks, 1 - law.ticks).prod())
            chances.append((np.flatnonzero(ticked).tolist(), law.chances[-1] * chance))
    return law_of_samples(question.mechanism, chances, n)


@pytest.mark.parametrize("engine", ENGINES)
def test_samples_of_two_follow_the_exact_law(engine: str) -> None:
    """Chi-square against the channels added up, rare outcomes pooled, for every mechanism."""
    people, repeats = population(TINY, *TINY_SHARES, dependence=0.5), 500
    samples = samples_of(Plan(people, 2, repeats, 3, engine))
    for question in TINY.questions:
        found = Counter(
            (tuple(s.answers.tolist()), tuple(s.cells.tolist()))
            for s in (sample[question.id] for sample in samples)
        )
        law = exact_law(people, question, 2)
        assert set(found) <= set(law)
        common = [outcome for outcome, chance in law.items() if repeats * chance >= 5]
        counts = [found[outcome] for outcome in common]
        expected = [repeats * law[outcome] for outcome in common]
        counts.append(repeats - sum(counts))
        expected.append(repeats - sum(expected))
        least = FALSE_ALARM / len(TINY.questions)
        assert stats.chisquare(counts, expected).pvalue > least, question.id


def large(id: str, **fields: Any) -> Survey:
    draft = {"id": id, "prompt": id, "epsilon": "1", **fields}
    return build_survey({"slug": "large", "title": "Large", "questions": [draft]})


LARGE = {
    "ss of 16": large("q", kind="one_of", options=[str(i) for i in range(16)]),
    "ss of 128": large("q", kind="one_of", options=[str(i) for i in range(128)]),
    "hr of 100": large("q", kind="one_of", options=[str(i) for i in range(100)], mechanism="hr"),
    "any of 30": large("q", kind="any_of", options=[str(i) for i in range(30)]),
    "two of 20": large("q", kind="any_of", options=[str(i) for i in range(20)], at_most="2"),
    "mean": large("q", kind="number", lo="0", hi="60"),
    "shape": large("q", kind="number", lo="0", hi="60", goal="distribution"),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_samples_of_both_engines_vary_alike(name: str) -> None:
    """Means and variances of truths and tallies together, in ten directions, by t and F tests."""
    survey = LARGE[name]
    people = Population(survey, {q.id: zipf_shares(q.domain, 1.0) for q in survey.questions})
    n, repeats, directions = 100_000, 30, 10
    drawn = [
        np.array([np.concatenate([s["q"].answers, s["q"].cells]) for s in samples_of(plan)])
        for plan in (Plan(people, n, repeats, 5, engine) for engine in ENGINES)
    ]
    scale = np.sqrt(drawn[1].mean(axis=0) + 1)
    ways = np.random.Generator(np.random.SFC64(1)).choice([-1.0, 1.0], (len(scale), directions))
    first, second = ((sample / scale) @ ways for sample in drawn)
    least = FALSE_ALARM / directions / 2
    assert stats.ttest_ind(first, second, equal_var=False).pvalue.min() > least
    ratios = first.var(axis=0, ddof=1) / second.var(axis=0, ddof=1)
    tails = stats.f(repeats - 1, repeats - 1)
    assert min(2 * min(tails.cdf(ratio), tails.sf(ratio)) for ratio in ratios) > least


def test_a_trillion_respondents_vary_as_the_binomial_says() -> None:
    """Mean and variance of the tally, where numpy's floating point is at its limit."""
    survey = survey_of(yes_no("a", "1"))
    n, repeats = 10**12, 2_000
    samples = samples_of(Plan(population(survey, "0.7,0.3"), n, repeats, 1, AGGREGATE))
    keep = float(survey.questions[0].mechanism.keep)
    chance = 0.3 * keep + 0.7 * (1 - keep)
    spread = math.sqrt(n * chance * (1 - chance))
    z = np.array([(float(s["a"].cells[1]) - n * chance) / spread for s in samples])
    assert stats.kstest(z, "norm").pvalue > FALSE_ALARM
