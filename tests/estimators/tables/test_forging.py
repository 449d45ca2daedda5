"""Forged reports: the lever bounds every attack, and the published figures are right (math 11)."""

import itertools
from decimal import Decimal

import numpy as np
import pytest

from client.authoring.draft.mechanism_choice import best_subset_selection
from client.core.kinds import AnyOf, Number, OneOf, YesNo
from client.core.mechanisms import (
    HadamardResponse,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    TwoLevel,
)
from client.core.question import Question
from client.core.survey import BY_DEVICE, BY_TICKET
from estimators.counting.tally import Tally
from estimators.mechanisms import analysis_of
from estimators.ordinal.levels import LevelEstimates
from estimators.shares.shares import ShareEstimates
from estimators.tables.forging import forging_lever
from estimators.tables.question import estimate_mechanism, estimate_question

# From the table in math 11: randomized response, 20 options by subset selection, Hadamard.
TABLE = [
    ("0.1", (10.51, -9.508), (19.07, -18.97), 20.02),
    ("0.5", (2.541, -1.541), (4.661, -3.024), 4.083),
    ("1", (1.582, -0.582), (3.212, -1.004), 2.164),
    ("2", (1.157, -0.1565), (2.487, -0.2208), 1.313),
    ("4", (1.019, -0.01866), (1.354, -0.01866), 1.037),
]


def levers(mechanism: TwoLevel) -> tuple[float, float]:
    lever = analysis_of(mechanism).lever(BY_TICKET)
    return lever.high, lever.low


@pytest.mark.parametrize(("epsilon", "binary", "subset", "hadamard"), TABLE)
def test_the_published_levers_come_out(
    epsilon: str, binary: tuple[float, float], subset: tuple[float, float], hadamard: float
) -> None:
    budget = Decimal(epsilon)
    assert levers(RandomizedResponse.at(budget)) == pytest.approx(binary, rel=5e-4)
    assert levers(best_subset_selection(20, budget, 1024)) == pytest.approx(subset, rel=5e-4)
    found = levers(HadamardResponse.at(budget, options=20))
    assert found == pytest.approx((hadamard, -hadamard), rel=5e-4)


def test_a_sender_who_chooses_the_box_has_a_lever_for_every_box() -> None:
    mechanism = SampledChecks.at(Decimal(1), options=10, asked=1)
    kind = AnyOf(options=tuple("abcdefghij"))
    question = Question("boxes", "Which?", kind, Decimal(1), mechanism)
    assert forging_lever(question, BY_DEVICE).high == pytest.approx(15.82, rel=5e-4)
    assert forging_lever(question, BY_TICKET).high == pytest.approx(1.582, rel=5e-4)


def number(mechanism: TwoLevel) -> Question:
    kind = Number(lo=Decimal(0), hi=Decimal(3), step=Decimal("0.5"))
    return Question("hours", "How many?", kind, Decimal(1), mechanism)


@pytest.mark.parametrize(
    "mechanism",
    [
        RandomThreshold.at(Decimal(1), top=6),
        SlidingWindow.at(Decimal(1), top=6, width=4),
    ],
    ids=lambda mechanism: mechanism.name,
)
def test_no_forged_report_moves_the_sum_of_a_number_further_than_its_lever(
    mechanism: RandomThreshold | SlidingWindow,
) -> None:
    """Scores are linear in the reports, so one forged report at a time is every attack."""
    question = number(mechanism)
    lever = forging_lever(question, BY_TICKET)
    for cell in range(mechanism.cells):
        counts = [0] * mechanism.cells
        counts[cell] = 1
        estimates = estimate_question(question, Tally(tuple(counts), 1))
        assert isinstance(estimates, LevelEstimates)
        value = estimates.mean.value
        assert lever.low - 1e-9 <= value <= lever.high + 1e-9


def test_no_forged_report_moves_an_option_further_than_its_lever() -> None:
    mechanism = best_subset_selection(5, Decimal("0.5"), 1024)
    question = Question(
        "colour", "Which?", OneOf(options=tuple("abcde")), Decimal("0.5"), mechanism
    )
    lever = forging_lever(question, BY_TICKET)
    honest = np.array([4, 3, 5, 6, 2])
    base = estimate_mechanism(mechanism, Tally(tuple(honest.tolist()), 10))
    assert isinstance(base, ShareEstimates)
    for forged in itertools.combinations(range(5), mechanism.size):
        counts = honest.copy()
        counts[list(forged)] += 1
        moved = estimate_mechanism(mechanism, Tally(tuple(counts.tolist()), 11))
        assert isinstance(moved, ShareEstimates)
        change = moved.totals - base.totals
        assert change.max() == pytest.approx(lever.high)
        assert change.min() == pytest.approx(lever.low)


def test_yes_no_has_the_lever_of_its_channel() -> None:
    question = Question("a", "Yes?", YesNo(), Decimal(1), RandomizedResponse.at(Decimal(1)))
    assert forging_lever(question, BY_TICKET).high == pytest.approx(1.582, rel=5e-4)
