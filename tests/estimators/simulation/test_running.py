"""Threads run plans: the same seed gives the same samples, in bounded memory, stopped at will."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy import stats

from client.authoring.draft.survey import build_survey
from client.core.kinds import AnyOf
from client.core.mechanisms import PrivateSet
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from client.core.survey import Survey
from estimators.simulation import engines
from estimators.simulation.engines import AGGREGATE, ENGINES, RESPONDENTS, choose_engine
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question
from estimators.simulation.people.truths import SurveySample
from estimators.simulation.running import Plan, run
from estimators.workers.threads import AHEAD, Threads
from tests.support.process import ROOT
from tests.support.surveys import EVERY_KIND, labels, one_of, survey_of, yes_no

# The chance that a test which samples fails although the engine is correct.
FALSE_ALARM = 1e-6


def population(survey: Survey, *shares: str, dependence: float = 0.0) -> Population:
    return Population(survey, shares_by_question(survey, shares), dependence)


def samples_of(plan: Plan, jobs: int | None = None) -> list[SurveySample]:
    return list(run(plan, Threads(jobs)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("ask", ["0", "3"])
def test_the_same_seed_gives_the_same_samples_whatever_the_number_of_threads(
    engine: str, ask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "MOST_IN_BLOCK", 100)
    questions = EVERY_KIND["questions"][: 7 if ask == "3" else None]
    survey = build_survey({**EVERY_KIND, "ask_each_person": ask, "questions": questions})
    plan = Plan(population(survey, dependence=0.2), 1_050, 4, 7, engine)
    alone = [as_lists(sample) for sample in samples_of(plan, 1)]
    assert [as_lists(sample) for sample in samples_of(plan, 3)] == alone
    assert len({str(sample) for sample in alone}) == 4
    for sample in alone:
        asked = [n for _, _, n in sample.values()]
        assert set(asked) == {1_050} if ask == "0" else min(asked) < max(asked)
    others = [replace(plan, seed=8), replace(plan, cell=1)]
    for other in others:
        assert as_lists(samples_of(other)[0]) != alone[0]


def as_lists(sample: SurveySample) -> dict[str, Any]:
    return {id: (s.answers.tolist(), s.cells.tolist(), s.n) for id, s in sample.items()}


def test_blocks_are_drawn_independently_of_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty blocks of fifty vary like a thousand people; equal ones vary twenty times as much.

    The tally of yes is binomial; its variance over 300 samples is chi-square.
    """
    monkeypatch.setattr(engines, "MOST_IN_BLOCK", 50)
    survey = survey_of(yes_no("a", "1"))
    samples = samples_of(Plan(population(survey, "0.5,0.5"), 1_000, 300, 5))
    tallies = np.array([sample["a"].cells[1] for sample in samples])
    ratio = 299 * tallies.var(ddof=1) / (1_000 / 4)
    chance = stats.chi2(299).cdf(ratio)
    assert 2 * min(chance, 1 - chance) > FALSE_ALARM


def test_a_study_that_is_stopped_draws_no_more_than_it_has_begun() -> None:
    begun: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(10**6):
            begun.append(number)
            yield number

    results = Threads(2).in_order(lambda factor, number: factor * number, 2, tasks())
    assert [next(results) for _ in range(3)] == [0, 2, 4]
    results.close()  # type: ignore[attr-defined]
    assert len(begun) <= 3 + AHEAD * 2


def test_every_respondent_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "MOST_IN_BLOCK", 8)
    sizes: list[int] = []
    plan = Plan(population(survey_of(yes_no("a", "1"))), 30, 4, 1)
    finished = [sum(sizes) for _ in run(plan, Threads(2), sizes.append)]
    assert finished == [30, 60, 90, 120]


def test_memory_does_not_grow_with_the_number_of_respondents() -> None:
    """Thirty blocks take no more memory than five; 10 MB are allowed for what is not ours."""
    program = """
import resource
from estimators.simulation.engines import ENGINES
from estimators.simulation.people.population import Population
from estimators.simulation.running import Plan, run
from estimators.workers.threads import Threads
from tests.support.surveys import survey_of, yes_no

def peak(respondents):
    list(run(Plan(people, respondents, 1, 1), Threads(2)))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

survey = survey_of(yes_no("a", "1"))
people = Population(survey, {"a": (0.5, 0.5)})
block = ENGINES["respondents"].block_size(survey)
print(peak(5 * block), peak(30 * block))
"""
    measured = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    few, many = map(int, measured.stdout.split())
    assert many - few < 10_000


@pytest.mark.parametrize(("part", "whole"), [(1, 4), (3, 4)])
def test_a_part_of_the_respondents_is_asked_each_question(part: int, whole: int) -> None:
    survey = survey_of(*(yes_no(id, "1") for id in "abcd"), ask_each_person=part)
    for engine in ENGINES:
        (sample,) = samples_of(Plan(population(survey), 40_000, 1, 4, engine))
        for counted in sample.values():
            assert counted.answers.sum() == counted.cells.sum() == counted.n
            assert stats.binomtest(counted.n, 40_000, part / whole).pvalue > FALSE_ALARM


def test_the_engine_is_chosen_by_size_and_says_why() -> None:
    people = population(survey_of(yes_no("a", "1")))
    assert choose_engine(people, 10**6, 50) == (RESPONDENTS, "few enough to draw every report")
    assert choose_engine(people, 10**9, 1) == (AGGREGATE, "too many to draw every report")
    small = population(survey_of(one_of("a", 128, "1", size=34)))
    assert choose_engine(small, 100, 10**6) == (
        RESPONDENTS,
        "drawing every report takes no longer than drawing tallies",
    )


def test_free_ticks_of_a_private_set_are_too_many_to_multiply_out() -> None:
    one = Decimal(1)
    mechanism = PrivateSet.at(one, options=30, at_most=30, size=1)
    survey = survey_of(Question("a", "A?", AnyOf(options=labels(30)), one, mechanism))
    assert choose_engine(population(survey), 10**8, 1) == (
        RESPONDENTS,
        "a can be answered in too many ways to draw its tally directly",
    )
    with pytest.raises(Refusal, match="engine must be respondents: a can be answered in too many"):
        Plan(population(survey), 10, 1, 1, AGGREGATE)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"respondents": 10**10 + 1}, "from 1 to 10,000,000,000 with the engine respondents"),
        ({"respondents": 10**12 + 1, "engine": AGGREGATE}, "from 1 to 1,000,000,000,000 with"),
        ({"respondents": 0}, "respondents must be an integer from 1"),
        ({"respondents": True}, "respondents must be an integer from 1"),
        ({"repeats": 0}, "repeats must be an integer from 1"),
        ({"repeats": 10**7}, "repeats must be an integer from 1"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"engine": "warp"}, "engine must be one of respondents, aggregate, got 'warp'"),
    ],
)
def test_a_plan_that_cannot_be_run_is_refused(fields: dict[str, Any], complaint: str) -> None:
    people = population(survey_of(yes_no("a", "1")))
    with pytest.raises(Refusal, match=complaint):
        Plan(people, **{"respondents": 10, "repeats": 1, "seed": 1} | fields)


@pytest.mark.parametrize("jobs", [0, -1, 1.5])
def test_a_number_of_jobs_that_is_none_is_refused(jobs: Any) -> None:
    with pytest.raises(Refusal, match="jobs must be an integer of at least 1"):
        samples_of(Plan(population(survey_of(yes_no("a", "1"))), 10, 1, 1), jobs)
