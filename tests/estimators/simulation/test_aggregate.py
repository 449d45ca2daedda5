"""Tallies drawn without drawing persons: the exact law on small shapes, both engines alike."""

from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pytest

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.domain import Checks
from estimators.simulation.aggregate.laws import draw_reports
from estimators.simulation.people.truths import Law
from tests.client.core.test_exact_channels import SHAPES
from tests.support.exact_channel import answers_of
from tests.support.exact_tally import Chances, Outcome, law_of_samples, walked_law

ONE = Decimal(1)
SMALL = [mechanism.at(ONE, **shape) for mechanism, shape in SHAPES]
# Odd lengths, uneven halves, rows with several bits: one person passes through all of them.
LARGER = [
    SubsetSelection.at(ONE, options=7, size=1),
    SubsetSelection.at(ONE, options=7, size=3),
    SubsetSelection.at(ONE, options=6, size=5),
    HadamardResponse.at(ONE, options=11),
    SampledChecks.at(ONE, options=4, asked=2),
    PrivateSet.at(ONE, options=3, at_most=3, size=3),
    RandomThreshold.at(ONE, top=9),
    SlidingWindow.at(ONE, top=9, width=6),
]


def law_of(mechanism: TwoLevel, chances: Chances) -> Law:
    answers = [answer for answer, _ in chances]
    weights = np.array([chance for _, chance in chances])
    if isinstance(mechanism.domain, Checks):
        boxes = np.arange(mechanism.domain.options)
        return Law(np.array([np.isin(boxes, answer) for answer in answers]), weights)
    return Law(np.array(answers), weights)


def falling(answers: list[Any]) -> Chances:
    """Return chances of 1, 2, 3, ... parts: no two answers are equally likely."""
    parts = len(answers) * (len(answers) + 1) / 2
    return [(answer, (place + 1) / parts) for place, answer in enumerate(answers)]


def walked(mechanism: TwoLevel, law: Law, n: int) -> dict[Outcome, float]:
    return walked_law(lambda draws: draw_reports(mechanism, law, n, draws))


@pytest.mark.parametrize("mechanism", [*SMALL, *LARGER], ids=str)
def test_one_person_s_tally_is_the_channel(mechanism: TwoLevel) -> None:
    """Walked over every outcome of every draw, for all answers at once: the exact chances."""
    chances = falling(answers_of(mechanism.domain))
    found = walked(mechanism, law_of(mechanism, chances), 1)
    assert found == pytest.approx(law_of_samples(mechanism, chances, 1), rel=1e-12)


@pytest.mark.parametrize("mechanism", SMALL, ids=str)
def test_two_persons_tally_is_their_reports_added_up(mechanism: TwoLevel) -> None:
    answers = answers_of(mechanism.domain)
    chances = falling([answers[0], answers[-1]])
    found = walked(mechanism, law_of(mechanism, chances), 2)
    assert found == pytest.approx(law_of_samples(mechanism, chances, 2), rel=1e-12)


@pytest.mark.parametrize(
    "mechanism",
    [
        SampledChecks.at(ONE, options=3, asked=1),
        SampledChecks.at(ONE, options=2, asked=2),
        PrivateSet.at(ONE, options=2, at_most=2, size=1),
    ],
    ids=str,
)
@pytest.mark.parametrize("n", [1, 2])
def test_boxes_that_are_ticked_independently_need_no_answers_of_their_own(
    mechanism: TwoLevel, n: int
) -> None:
    """A quarter ticks all boxes, the others each one with its own share."""
    boxes = mechanism.domain.options  # type: ignore[union-attr]
    ticks = np.array([0.125, 0.5, 0.75])[:boxes]
    chances: Chances = [(list(range(boxes)), 0.25)]
    for flags in product([False, True], repeat=boxes):
        chance = 0.75 * float(np.where(flags, ticks, 1 - ticks).prod())
        chances.append((np.flatnonzero(flags).tolist(), chance))
    law = Law(np.ones((1, boxes), dtype=np.bool_), np.array([0.25, 0.75]), ticks)
    found = walked(mechanism, law, n)
    assert found == pytest.approx(law_of_samples(mechanism, chances, n), rel=1e-12)
