"""How often the set that is said to hold the largest share holds a given largest one (math 3)."""

from decimal import Decimal

import numpy as np

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    SampledChecks,
    SubsetSelection,
    TwoLevel,
)
from estimators.shares.shares import ShareEstimates
from estimators.tables.question import estimate_mechanism
from tests.benchmarks.coverage.measuring import Case, Found, Law, choosing, tallies, ticking

ONE, TWO, FOUR = map(Decimal, (1, 2, 4))
SUBSETS = SubsetSelection.at(ONE, options=6, size=2)
SAME, EITHER = ticking([], [0, 1, 2, 3, 4, 5]), ticking([0, 1, 2], [3, 4, 5])


def held(mechanism: TwoLevel, law: Law, n: int, samples: int) -> Found:
    """Return how often option 0, which has the largest share or ties with others, is in the set."""
    found = []
    for tally in tallies(mechanism, law, n, samples, seed=20_061):
        estimates = estimate_mechanism(mechanism, tally)
        assert isinstance(estimates, ShareEstimates)
        found.append(estimates.leaders().options)
    sizes = float(np.mean([len(options) for options in found]))
    covered = float(np.mean([0 in options for options in found]))
    return Found({"": covered}, f"{sizes:.1f} in the set")


def _case(name: str, mechanism: TwoLevel, law: Law, n: int) -> Case:
    return Case(f"largest share: {name}", lambda samples: held(mechanism, law, n, samples), few=200)


CASES = (
    _case("six equal, sets of two, eps 1, n 500", SUBSETS, choosing(*[1] * 6), 500),
    _case(
        "six equal, Hadamard, eps 2, n 500",
        HadamardResponse.at(TWO, options=6),
        choosing(*[1] * 6),
        500,
    ),
    _case(
        "ten equal, single options, eps 4, n 50",
        SubsetSelection.at(FOUR, options=10, size=1),
        choosing(*[1] * 10),
        50,
    ),
    _case(
        "6 : 5 : 4 : 3 : 2 : 1, sets of two, eps 1, n 500", SUBSETS, choosing(*range(6, 0, -1)), 500
    ),
    _case(
        "3 : 3 : 1 : 1 : 1 : 1, Hadamard, eps 1, n 2,000",
        HadamardResponse.at(ONE, options=6),
        choosing(3, 3, 1, 1, 1, 1),
        2_000,
    ),
    _case(
        "six boxes, all or none ticked, one a report, eps 1, n 400",
        SampledChecks.at(ONE, options=6, asked=1),
        SAME,
        400,
    ),
    _case(
        "six boxes, either three ticked, one a report, eps 4, n 400",
        SampledChecks.at(FOUR, options=6, asked=1),
        EITHER,
        400,
    ),
    _case(
        "four rare boxes, one a report, eps 4, n 400",
        SampledChecks.at(FOUR, options=4, asked=1),
        ticking([0], [1], [2], [3], *[[]] * 16),
        400,
    ),
    _case(
        "six boxes, either three ticked, two a report, eps 2, n 300",
        SampledChecks.at(TWO, options=6, asked=2),
        EITHER,
        300,
    ),
    _case(
        "six boxes, either three ticked, private sets of 1, eps 1, n 500",
        PrivateSet.at(ONE, options=6, at_most=3, size=1),
        EITHER,
        500,
    ),
    _case(
        "three boxes of the same people, private sets of 2, eps 2, n 500",
        PrivateSet.at(TWO, options=6, at_most=3, size=2),
        ticking([0, 1, 2], [0, 1, 2], [3]),
        500,
    ),
)
