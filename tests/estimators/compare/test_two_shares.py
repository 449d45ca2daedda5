"""Two shares: test, interval and exact coverage, by summation over all tables of reports."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, fisher_exact

from client.core.primitives.refusal import Refusal
from estimators.compare.samples import ShareSample
from estimators.compare.two_shares import (
    FISHER,
    LIKELIHOOD,
    SCORE,
    common_share,
    difference_interval,
    fisher_p,
    likeliest_second,
    mee_ends,
    mover_interval,
    pooled_z,
    shares_test,
)
from estimators.shares.intervals import normal_quantile
from estimators.shares.spread import Array

Z = normal_quantile(0.95)


def channel(epsilon: float) -> tuple[float, float]:
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    return p, 1 - p


def sample(count: int, n: int, epsilon: float = 1.0) -> ShareSample:
    return ShareSample(count, n, *channel(epsilon))


def all_tables(n1: int, n2: int) -> tuple[Array, Array]:
    first, second = np.meshgrid(np.arange(n1 + 1.0), np.arange(n2 + 1.0), indexing="ij")
    return first, second


def chances(epsilon: float, sizes: tuple[int, int], shares: tuple[float, float]) -> Array:
    p, q = channel(epsilon)
    one, other = (
        binom.pmf(np.arange(n + 1), n, q + (p - q) * share)
        for n, share in zip(sizes, shares, strict=True)
    )
    return np.outer(one, other)


def test_180_of_400_reports_against_110_of_300_give_the_published_figures() -> None:
    first, second = sample(180, 400), sample(110, 300)
    test = shares_test(first, second)
    assert test.method == SCORE
    assert test.statistic == pytest.approx(2.214968, abs=5e-7)
    assert test.p_value == pytest.approx(0.026762, abs=5e-7)
    found = difference_interval(first, second)
    assert (found.low, found.high) == pytest.approx((0.020854, 0.336658), abs=5e-7)


def test_exchanging_the_groups_or_the_answers_mirrors_test_and_interval() -> None:
    first, second = sample(180, 400), sample(110, 300)
    p, q = channel(1)
    for one, other in (
        (second, first),
        (ShareSample(220, 400, p, q), ShareSample(190, 300, p, q)),
        # The same reports, if "no" is what supports the option.
        (ShareSample(180, 400, q, p), ShareSample(110, 300, q, p)),
    ):
        test, found = shares_test(one, other), difference_interval(one, other)
        assert test.statistic == pytest.approx(-2.214968, abs=5e-7)
        assert (-found.high, -found.low) == pytest.approx((0.020854, 0.336658), abs=5e-7)


@pytest.mark.parametrize("table", [(7, 30, 40, 120), (0, 20, 3, 25), (20, 20, 0, 9), (5, 5, 5, 5)])
@pytest.mark.parametrize("difference", [-0.999, -0.4, -1e-9, 0.0, 0.013, 0.5, 1.0])
def test_the_cubic_finds_the_maximum_of_the_likelihood(
    table: tuple[int, int, int, int], difference: float
) -> None:
    c1, n1, c2, n2 = table

    def misfit(second: float) -> float:
        """The negative log-likelihood of a second share of reports."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [
                count * np.log(chance)
                for count, chance in (
                    (c1, second + difference),
                    (n1 - c1, 1 - second - difference),
                    (c2, second),
                    (n2 - c2, 1 - second),
                )
                if count
            ]
        return -float(np.nan_to_num(sum(logs), nan=-1e9, neginf=-1e9))

    low, high = max(0.0, -difference), min(1.0, 1 - difference)
    best = minimize_scalar(misfit, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    found = likeliest_second(
        np.array([float(c1)]), n1, np.array([float(c2)]), n2, np.array([difference])
    )
    assert low <= found[0] <= high
    assert misfit(float(found[0])) <= best.fun + 1e-6


@pytest.mark.parametrize(("n1", "n2"), [(2, 2), (9, 31), (30, 120), (50, 50)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_the_interval_holds_0_exactly_if_the_score_test_does_not_reject(
    n1: int, n2: int, confidence: float
) -> None:
    """In all tables of these sizes, also the empty and the full ones."""
    z = normal_quantile(confidence)
    c1, c2 = all_tables(n1, n2)
    low, high = mee_ends(c1, n1, c2, n2, z)
    pooled = (c1 + c2) / (n1 + n2)
    accepted = (c1 / n1 - c2 / n2) ** 2 <= z**2 * pooled * (1 - pooled) * (1 / n1 + 1 / n2)
    assert (((low <= 0) & (high >= 0)) == accepted).all()
    assert (low >= -1).all()
    assert (high <= 1).all()
    assert (low <= c1 / n1 - c2 / n2).all()
    assert (high >= c1 / n1 - c2 / n2).all()


def test_the_interval_and_the_test_agree_in_random_large_tables() -> None:
    drawn = np.random.Generator(np.random.SFC64(5))
    for _ in range(300):
        sizes = drawn.integers(40, 5_000, size=2).tolist()
        share = drawn.uniform(0.1, 0.9)
        counts = [int(drawn.binomial(n, share)) for n in sizes]
        first, second = (sample(c, n, 0.7) for c, n in zip(counts, sizes, strict=True))
        found, test = difference_interval(first, second), shares_test(first, second)
        assert test.method == SCORE
        assert (found.low <= 0 <= found.high) == (test.p_value >= 0.05)


def level(epsilon: float, sizes: tuple[int, int], share: float) -> float:
    """The chance that the score test rejects equal shares."""
    (n1, n2), (c1, c2) = sizes, all_tables(*sizes)
    pooled = (c1 + c2) / (n1 + n2)
    spread = pooled * (1 - pooled) * (1 / n1 + 1 / n2)
    rejected = (c1 / n1 - c2 / n2) ** 2 > Z**2 * spread
    return float((chances(epsilon, sizes, (share, share)) * rejected).sum())


def test_the_score_test_alone_would_reject_too_often_where_the_exact_test_replaces_it() -> None:
    assert level(4, (30, 120), 0) == pytest.approx(0.078, abs=5e-4)


@pytest.mark.parametrize(
    "table", [(3, 30, 9, 109), (0, 30, 1, 120), (0, 4, 4, 4), (2, 2, 0, 2), (4, 1_000, 0, 3_000)]
)
def test_fishers_p_is_that_of_the_textbook_where_counts_are_small(
    table: tuple[int, int, int, int],
) -> None:
    c1, n1, c2, n2 = table
    first, second = sample(c1, n1), sample(c2, n2)
    test = shares_test(first, second)
    wanted = fisher_exact([[c1, n1 - c1], [c2, n2 - c2]]).pvalue
    assert test.method == FISHER
    assert test.small_counts
    assert test.p_value == fisher_p(first, second) == pytest.approx(wanted, rel=1e-9)


def test_reports_without_any_spread_reject_nothing() -> None:
    for count in (0, 40):
        first, second = sample(count, 40), sample(count, 40)
        assert pooled_z(first, second) == 0
        assert shares_test(first, second).p_value == 1
        found = difference_interval(first, second)
        assert found.low < 0 < found.high


def test_groups_with_different_channels_are_tested_at_their_common_share() -> None:
    first, second = sample(180, 400, 1), sample(110, 300, 2)
    test, found = shares_test(first, second), difference_interval(first, second)
    assert test.method == LIKELIHOOD
    assert found == mover_interval(first, second, 0.95)
    share = common_share((first, second))

    def misfit(at: float) -> float:
        chance = [s.q + s.slope * at for s in (first, second)]
        pairs = zip((first, second), chance, strict=True)
        return -sum(s.count * math.log(c) + (s.n - s.count) * math.log(1 - c) for s, c in pairs)

    best = minimize_scalar(misfit, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    assert share == pytest.approx(best.x, abs=1e-6)


def test_the_common_share_of_equal_channels_is_the_pooled_estimate() -> None:
    first, second = sample(180, 400), sample(110, 300)
    pooled = ShareSample(290, 700, *channel(1))
    assert common_share((first, second)) == pytest.approx(pooled.value, abs=1e-12)


def test_a_sample_that_shows_no_spread_is_refused() -> None:
    with pytest.raises(Refusal, match="at least 2 reports"):
        sample(1, 1)
