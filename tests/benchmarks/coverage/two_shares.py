"""Two shares: coverage of intervals and level of tests, exact over all tables (math 14)."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy.stats import binom

from estimators.compare.ratio import ratio_of
from estimators.compare.samples import ShareSample
from estimators.compare.two_shares import mee_ends, mover_interval, shares_test
from estimators.shares.intervals import normal_quantile
from estimators.shares.spread import Array
from tests.benchmarks.coverage.measuring import COVER, LEVEL, Case, Found, covers

Z = normal_quantile(0.95)
# Tables of reports that are rarer than this are left out of a sum.
RARE = 1e-6
SHARES = (
    (0, 0),
    (0.1, 0.1),
    (0.5, 0.5),
    (0.3, 0.1),
    (0.1, 0.3),
    (0, 0.1),
    (0.1, 0),
    (0, 1),
    (1, 1),
)
Channel = tuple[float, float]
Sizes = tuple[int, int]


def channel(epsilon: float) -> Channel:
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    return p, 1 - p


def chances(channels: tuple[Channel, Channel], sizes: Sizes, shares: tuple[float, float]) -> Array:
    """Return the chance of every table of supporting reports."""
    one, other = (
        binom.pmf(np.arange(n + 1), n, q + (p - q) * share)
        for (p, q), n, share in zip(channels, sizes, shares, strict=True)
    )
    return np.outer(one, other)


def mee(epsilon: float, sizes: Sizes) -> Found:
    """Return mean and worst coverage of the score interval over nine pairs of shares."""
    p, q = channel(epsilon)
    counts = np.meshgrid(*(np.arange(n + 1.0) for n in sizes), indexing="ij")
    low, high = mee_ends(counts[0], sizes[0], counts[1], sizes[1], Z)
    found = []
    for pair in SHARES:
        truth = (p - q) * (pair[0] - pair[1])
        # Rounding decides where a table's interval ends exactly at the truth.
        held = (low <= truth + 1e-12) & (high >= truth - 1e-12)
        found.append(float((chances(((p, q), (p, q)), sizes, pair) * held).sum()))
    return Found({"mean": float(np.mean(found)), "worst": min(found)})


def over_tables(
    channels: tuple[Channel, Channel],
    sizes: Sizes,
    shares: tuple[float, float],
    event: Callable[[ShareSample, ShareSample], bool],
) -> float:
    """Return the chance of an event, by summation over all tables that are not too rare."""
    weights = chances(channels, sizes, shares)
    found = 0.0
    for i, j in zip(*np.nonzero(weights > RARE), strict=True):
        first, second = (
            ShareSample(int(count), n, *own)
            for count, n, own in zip((i, j), sizes, channels, strict=True)
        )
        found += float(weights[i, j]) * event(first, second)
    return found / float(weights[weights > RARE].sum())


def mover(
    channels: tuple[Channel, Channel], sizes: Sizes, pairs: Sequence[tuple[float, float]]
) -> Found:
    """Return mean and worst coverage of the interval through Wilson's limits."""

    def cover(pair: tuple[float, float]) -> float:
        def held(first: ShareSample, second: ShareSample) -> bool:
            return covers(mover_interval(first, second, 0.95), pair[0] - pair[1])

        return over_tables(channels, sizes, pair, held)

    found = [cover(pair) for pair in pairs]
    return Found({"mean": float(np.mean(found)), "worst": min(found)})


def fieller(epsilon: float, sizes: Sizes, shares: tuple[float, float]) -> Found:
    truth = shares[0] / shares[1]

    def held(first: ShareSample, second: ShareSample) -> bool:
        found = ratio_of(first, second)
        return found.low <= truth and (found.high is None or truth <= found.high)

    own = channel(epsilon)
    return Found({"": over_tables((own, own), sizes, shares, held)})


def level_of_two(channels: tuple[Channel, Channel], sizes: Sizes, shares: Sequence[float]) -> Found:
    """Return how often the test of two shares rejects equal ones: Fisher's if counts are small."""

    def rejects(first: ShareSample, second: ShareSample) -> bool:
        return shares_test(first, second).p_value < LEVEL

    return Found(
        {
            f"{100 * share:g} %": over_tables(channels, sizes, (share, share), rejects)
            for share in shares
        }
    )


def _exact(name: str, measure: Callable[[], Found], goal: float = COVER, few: int = 1) -> Case:
    """Return an exact case; a test leaves it out if `few` is 0."""
    return Case(name, lambda _: measure(), samples=0, few=few, goal=goal)


def _mee(epsilon: float, sizes: Sizes) -> Case:
    return _exact(
        f"difference, score interval: eps {epsilon:g}, {sizes[0]} + {sizes[1]}",
        lambda: mee(epsilon, sizes),
        few=int(max(sizes) <= 50 or sizes == (30, 120)),
    )


def _mover(epsilons: Sizes, sizes: Sizes, pairs: Sequence[tuple[float, float]]) -> Case:
    return _exact(
        f"difference, MOVER: eps {epsilons[0]} and {epsilons[1]}, {sizes[0]} + {sizes[1]}",
        lambda: mover(_channels(epsilons), sizes, pairs),
    )


def _level(epsilons: Sizes, sizes: Sizes, *shares: float) -> Case:
    return _exact(
        "test of two shares, by true share: "
        f"eps {epsilons[0]} and {epsilons[1]}, {sizes[0]} + {sizes[1]}",
        lambda: level_of_two(_channels(epsilons), sizes, shares),
        LEVEL,
    )


def _ratio(epsilon: float, sizes: Sizes, shares: tuple[float, float]) -> Case:
    return _exact(
        f"ratio, Fieller: eps {epsilon:g}, {sizes[0]} + {sizes[1]}, {shares[0]} and {shares[1]}",
        lambda: fieller(epsilon, sizes, shares),
    )


def _channels(epsilons: Sizes) -> tuple[Channel, Channel]:
    return channel(epsilons[0]), channel(epsilons[1])


SIZES = ((30, 120), (50, 50), (100, 100), (500, 500))
CASES = (
    *(_mee(epsilon, sizes) for epsilon in (0.5, 1, 2, 4) for sizes in SIZES),
    _mover((4, 4), (50, 50), SHARES),
    _mover((1, 3), (40, 60), SHARES),
    _mover((1, 3), (200, 100), SHARES),
    _level((1, 1), (50, 50), 0, 0.1, 0.3, 0.5),
    _level((1, 1), (30, 120), 0, 0.1, 0.3, 0.5),
    _level((4, 4), (30, 120), 0, 0.1, 0.3, 0.5),
    _level((1, 3), (40, 60), 0, 0.1, 0.3, 0.5),
    _ratio(1, (200, 200), (0.4, 0.2)),
    _ratio(1, (500, 500), (0.1, 0.3)),
    _ratio(2, (150, 250), (0.2, 0.2)),
    _ratio(3, (100, 300), (0.1, 0.5)),
)
