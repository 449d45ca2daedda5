"""Coverage of the intervals of shares, boxes and means that tables print (math 0.5, 3, 4, 5, 7)."""

from collections.abc import Callable
from decimal import Decimal

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
from estimators.counting.tally import Tally
from estimators.ordinal.levels import LevelEstimates
from estimators.shares.intervals import bonferroni
from estimators.shares.shares import ShareEstimates
from estimators.shares.spread import Array
from estimators.tables.question import estimate_mechanism
from tests.benchmarks.coverage.measuring import (
    Case,
    Found,
    Law,
    choosing,
    covers,
    parts_of,
    share_of,
    tallies,
    ticking,
)

ONE, TWO = Decimal(1), Decimal(2)
# Boxes that 5, 20 and 50 % tick, and three more.
BOXES = ticking(*[[0, 1, 2]], *[[1, 2]] * 3, *[[2]] * 6, *[[3]] * 2, *[[4]] * 3, *[[]] * 5)
TICKED = {"5 %": (0, 0.05), "20 %": (1, 0.2), "50 %": (2, 0.5)}


def _shares(mechanism: TwoLevel, tally: Tally) -> ShareEstimates:
    found = estimate_mechanism(mechanism, tally)
    assert isinstance(found, ShareEstimates)
    return found


def cover_of_shares(
    mechanism: TwoLevel, law: Law, named: dict[str, tuple[int, float]], n: int, samples: int
) -> Found:
    """Return how often Wilson's intervals hold the shares of some options or boxes."""
    held = []
    for tally in tallies(mechanism, law, n, samples, seed=31):
        low, high = _shares(mechanism, tally).intervals()
        held.append(
            {name: bool(low[at] <= share <= high[at]) for name, (at, share) in named.items()}
        )
    return parts_of(held)


def cover_of_all(mechanism: TwoLevel, truth: Array, n: int, samples: int) -> Found:
    """Return how often all intervals together hold all shares."""
    together = bonferroni(0.95, len(truth))
    held = []
    for tally in tallies(mechanism, choosing(*truth), n, samples, seed=32):
        low, high = _shares(mechanism, tally).intervals(together)
        held.append(bool(((low <= truth) & (truth <= high)).all()))
    return share_of(held)


def cover_of_respondents(epsilon: Decimal, yes: int, n: int, samples: int) -> Found:
    """Return how often the interval about these very respondents holds their share."""
    mechanism = RandomizedResponse.at(epsilon)
    p = float(mechanism.keep)
    draw = np.random.default_rng(33)
    counts = draw.binomial(yes, p, samples) + draw.binomial(n - yes, 1 - p, samples)
    held = []
    for count in counts.tolist():
        low, high = _shares(mechanism, Tally((n - count, count), n)).respondents_intervals()
        held.append(bool(low[1] <= yes / n <= high[1]))
    return share_of(held)


def cover_of_mean(mechanism: RandomThreshold | SlidingWindow, n: int, samples: int) -> Found:
    """Return how often the interval of a mean holds it; low levels are more common."""
    weights = np.exp(-np.arange(mechanism.shape["top"] + 1) / (0.3 * mechanism.shape["top"]))
    law = choosing(*weights)
    mean = sum(level * part for level, part in law)
    held = []
    for tally in tallies(mechanism, law, n, samples, seed=34):
        found = estimate_mechanism(mechanism, tally)
        assert isinstance(found, LevelEstimates)
        held.append(covers(found.mean.interval(), mean))
    return share_of(held)


def cover_of_answered_mean(n: int, samples: int) -> Found:
    """Return how often the mean of a scale of 5 is held, among the 80 % who gave a level."""
    mechanism = SubsetSelection.at(ONE, options=6, size=2)
    law = choosing(4, 6, 10, 12, 8, 10)
    answered, levels = np.array([1.0] * 5 + [0.0]), np.array([0.0, 1, 2, 3, 4, 0])
    shares = np.array([part for _, part in law])
    mean = float(levels @ shares / (answered @ shares))
    held = []
    for tally in tallies(mechanism, law, n, samples, seed=35):
        held.append(covers(_shares(mechanism, tally).ratio(levels, answered).interval(), mean))
    return share_of(held)


def _boxes(name: str, mechanism: TwoLevel, n: int) -> Case:
    def measure(samples: int) -> Found:
        return cover_of_shares(mechanism, BOXES, TICKED, n, samples)

    return Case(f"share of a box: {name}", measure)


def _choice(name: str, mechanism: TwoLevel, n: int) -> Case:
    law = choosing(5, 20, 50, 10, 10, 5)

    def measure(samples: int) -> Found:
        return cover_of_shares(mechanism, law, TICKED, n, samples)

    return Case(f"share of an option: {name}", measure)


def _mean(name: str, measure: Callable[[int], Found]) -> Case:
    return Case(f"mean: {name}", measure)


SETS = SubsetSelection.at(ONE, options=6, size=2)
CASES = (
    _choice("six in sets of two, eps 1, n 500", SETS, 500),
    _choice("six by Hadamard response, eps 1, n 500", HadamardResponse.at(ONE, options=6), 500),
    Case(
        "shares of six options together, sets of two, eps 1, n 500",
        lambda samples: cover_of_all(SETS, np.array([5, 20, 50, 10, 10, 5]) / 100, 500, samples),
    ),
    Case(
        "share of these respondents: yes/no, eps 1, 20 of 100",
        lambda samples: cover_of_respondents(ONE, 20, 100, samples),
    ),
    Case(
        "share of these respondents: yes/no, eps 4, 3 of 200",
        lambda samples: cover_of_respondents(Decimal(4), 3, 200, samples),
    ),
    _boxes("one of six a report, eps 1, n 600", SampledChecks.at(ONE, options=6, asked=1), 600),
    _boxes("two of six a report, eps 2, n 600", SampledChecks.at(TWO, options=6, asked=2), 600),
    _boxes(
        "at most three of six, private sets of 2, eps 2, n 600",
        PrivateSet.at(TWO, options=6, at_most=3, size=2),
        600,
    ),
    _mean(
        "11 levels by random thresholds, eps 1, n 500",
        lambda samples: cover_of_mean(RandomThreshold.at(ONE, top=10), 500, samples),
    ),
    _mean(
        "61 levels by random thresholds, eps 1, n 500",
        lambda samples: cover_of_mean(RandomThreshold.at(ONE, top=60), 500, samples),
    ),
    _mean(
        "61 levels by a window, eps 1, n 500",
        lambda samples: cover_of_mean(SlidingWindow.at(ONE, top=60, width=31), 500, samples),
    ),
    _mean(
        "scale of 5 among the 80 % who gave a level, eps 1, n 1,000",
        lambda samples: cover_of_answered_mean(1_000, samples),
    ),
)
