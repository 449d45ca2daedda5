"""How each mechanism's tally is drawn without drawing persons, by the mechanism's name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
from estimators.simulation.aggregate.choices import (
    Circle,
    circle_of_options,
    circle_of_thresholds,
    circle_of_windows,
    circle_tally,
    hadamard_tally,
)
from estimators.simulation.aggregate.subsets import draw_subset_selection
from estimators.simulation.kernels.source import Integers, Source
from estimators.simulation.people.shares import count_of
from estimators.simulation.people.truths import Law, draw_counts

# Draws the counts of n people's true answers, and the tally of their reports.
DrawReports = Callable[[Any, Law, int, Source], tuple[Integers, Integers]]


@dataclass(frozen=True)
class Aggregate:
    """How a tally is drawn, and about how many binomial draws that takes for any n."""

    draw: DrawReports
    cost: Callable[[Any, Law], int]


def draw_reports(
    mechanism: TwoLevel, law: Law, n: int, source: Source
) -> tuple[Integers, Integers]:
    """Draw the counts of n people's true answers, and the tally of their reports."""
    return AGGREGATES[mechanism.name].draw(mechanism, law, n, source)


def aggregate_draws(mechanism: TwoLevel, law: Law) -> int:
    """Return about how many binomial draws one tally takes, for any number of people."""
    return AGGREGATES[mechanism.name].cost(mechanism, law)


def from_answers(tally: Callable[[Any, Integers, Source], Integers]) -> DrawReports:
    """Return a function that counts answers first, then draws the tally from the counts."""

    def draw(mechanism: TwoLevel, law: Law, n: int, source: Source) -> tuple[Integers, Integers]:
        answers = np.zeros(count_of(mechanism.domain), dtype=np.int64)
        answers[law.answers] = draw_counts(n, law.chances, source)
        return answers, tally(mechanism, answers, source)

    return draw


def on_circle(circle_of: Callable[[Any], Circle]) -> DrawReports:
    """Return such a function for near sets that are windows on a circle of cells."""
    return from_answers(
        lambda mechanism, answers, source: circle_tally(
            mechanism, circle_of(mechanism), answers, source
        )
    )


def _halving_cost(mechanism: TwoLevel, law: Law) -> int:
    return 4 * mechanism.cells * mechanism.cells.bit_length()


_draw_one_option = on_circle(circle_of_options)


def _draw_subsets(
    mechanism: SubsetSelection, law: Law, n: int, source: Source
) -> tuple[Integers, Integers]:
    draw = draw_subset_selection if mechanism.size > 1 else _draw_one_option
    return draw(mechanism, law, n, source)


def _subset_cost(mechanism: SubsetSelection, law: Law) -> int:
    if mechanism.size == 1:
        return _halving_cost(mechanism, law)
    return 5 * mechanism.cells * (mechanism.size + 1)


def _sampled_cost(mechanism: SampledChecks, law: Law) -> int:
    return len(law.chances) * mechanism.options * (mechanism.asked + 1)


def _private_set_cost(mechanism: PrivateSet, law: Law) -> int:
    # Independent ticks have to be multiplied out.
    rows = len(law.answers) + (0 if law.ticks is None else 2 ** len(law.ticks))
    return rows * mechanism.cells * (mechanism.size + 1)


AGGREGATES: dict[str, Aggregate] = {
    RandomizedResponse.name: Aggregate(_draw_one_option, _halving_cost),
    SubsetSelection.name: Aggregate(_draw_subsets, _subset_cost),
    HadamardResponse.name: Aggregate(from_answers(hadamard_tally), _halving_cost),
    SampledChecks.name: Aggregate(draw_sampled_checks, _sampled_cost),
    PrivateSet.name: Aggregate(draw_private_set, _private_set_cost),
    RandomThreshold.name: Aggregate(on_circle(circle_of_thresholds), _halving_cost),
    SlidingWindow.name: Aggregate(on_circle(circle_of_windows), _halving_cost),
}
