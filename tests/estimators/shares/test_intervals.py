"""Intervals: exact coverage by summation, the published table, and honest ends."""

import math
from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pytest
from scipy import signal, stats

from client.core.mechanisms import RandomizedResponse
from client.core.primitives.refusal import Refusal
from estimators.counting.tally import Tally
from estimators.planning.survey_plan import Target, plan_mechanism
from estimators.shares.arrays import ShareArrays
from estimators.shares.intervals import (
    Interval,
    clopper_pearson,
    normal_quantile,
    wilson_ends,
)
from estimators.shares.spread import Array
from estimators.tables.table import question_rows
from tests.support.analyses import choice_estimates, estimate_of, share_arrays
from tests.support.process import ROOT
from tests.support.surveys import yes_no

SHARES = (0.0, 0.01, 0.1, 0.5)
IntervalsOf = Callable[[ShareArrays], tuple[Array, Array]]

# The table of math 7 in README.md: epsilon, n, Wilson, Clopper-Pearson.
TABLE_7 = [
    ("0.1", 50, 0.935, 0.967),
    ("0.1", 500, 0.946, 0.951),
    ("0.1", 100000, 0.950, 0.950),
    ("0.5", 50, 0.935, 0.967),
    ("0.5", 500, 0.946, 0.953),
    ("0.5", 100000, 0.950, 0.950),
    ("1", 50, 0.935, 0.953),
    ("1", 500, 0.945, 0.956),
    ("1", 100000, 0.950, 0.950),
    ("2", 50, 0.935, 0.966),
    ("2", 500, 0.946, 0.952),
    ("2", 100000, 0.950, 0.950),
    ("4", 50, 0.935, 0.959),
    ("4", 500, 0.940, 0.951),
    ("4", 100000, 0.949, 0.950),
]


def channel(epsilon: str) -> tuple[float, float]:
    mechanism = RandomizedResponse.at(Decimal(epsilon))
    return float(mechanism.p), float(mechanism.q)


def coverage(intervals_of: IntervalsOf, share: float, n: int, p: float, q: float) -> float:
    """Return the exact probability that the printed interval holds the share, up to 2e-9."""
    reports = stats.binom(n, q + (p - q) * share)
    counts = np.arange(int(reports.ppf(1e-9)), int(reports.ppf(1 - 1e-9)) + 1)
    low, high = intervals_of(share_arrays(counts.tolist(), n, p, q))
    return float(reports.pmf(counts)[(low <= share) & (share <= high)].sum())


@pytest.mark.parametrize(("epsilon", "n", "by_wilson", "by_clopper_pearson"), TABLE_7)
def test_the_exact_coverage_of_the_printed_intervals_is_that_of_the_readme(
    epsilon: str, n: int, by_wilson: float, by_clopper_pearson: float
) -> None:
    p, q = channel(epsilon)
    plain = min(coverage(ShareArrays.intervals, share, n, p, q) for share in SHARES)
    exact = min(coverage(ShareArrays.exact_intervals, share, n, p, q) for share in SHARES)
    assert round(plain, 3) == by_wilson
    assert round(exact, 3) == by_clopper_pearson
    readme = (ROOT / "estimators" / "README.md").read_text()
    assert f"| {epsilon} | {n} | {by_wilson:.3f} | {by_clopper_pearson:.3f} |\n" in readme


def test_the_intervals_in_the_table_are_those_whose_coverage_was_computed() -> None:
    question, tally = yes_no("q", "4"), Tally.of_cells([497, 3])
    found = choice_estimates(question.mechanism, tally)
    for exact, ends in ((False, found.intervals()), (True, found.exact_intervals())):
        row = question_rows(question, tally, exact=exact)[1]
        assert (row["low"], row["high"]) == (ends[0][1], ends[1][1])
        assert row["low"] < 0


# Table 7a of the mathematics, whose intervals are cut at 0 and 1: fixed z and Wilson on
# respondents, half-widths at shares .1 and .5.
TABLE_7A_ON_RESPONDENTS = """
0.1 50 0.935 0.935 2.77 2.77
0.1 500 0.946 0.946 0.877 0.877
0.1 100000 0.950 0.950 0.062 0.062
0.5 50 0.943 0.943 0.555 0.566
0.5 500 0.953 0.953 0.175 0.179
0.5 100000 0.950 0.950 0.0124 0.0127
1 50 0.945 0.963 0.279 0.3
1 500 0.951 0.951 0.0881 0.0948
1 100000 0.950 0.951 0.00623 0.00671
2 50 0.952 0.969 0.144 0.182
2 500 0.947 0.954 0.0456 0.0575
2 100000 0.950 0.956 0.00323 0.00407
4 50 0.900 0.939 0.0915 0.144
4 500 0.936 0.960 0.0289 0.0455
4 100000 0.950 0.974 0.00205 0.00321
"""


def least_coverage_on_respondents(lows: Array, highs: Array, p: float, q: float) -> float:
    """Return the least coverage over SHARES for fixed answers: two binomials, convolved."""
    n = len(lows) - 1
    lows, highs = np.clip(lows, 0, 1), np.clip(highs, 0, 1)
    found = []
    for true in (round(n * share) for share in SHARES):
        chances = signal.fftconvolve(
            stats.binom.pmf(np.arange(true + 1), true, p),
            stats.binom.pmf(np.arange(n - true + 1), n - true, q),
        )
        found.append(float(chances[(lows <= true / n) & (true / n <= highs)].sum()))
    return min(found)


@pytest.mark.parametrize("row", TABLE_7A_ON_RESPONDENTS.split("\n")[1:-1])
def test_coverage_on_respondents_and_half_widths_are_those_of_table_7a(row: str) -> None:
    epsilon, size, fixed, by_wilson, *halves = row.split()
    n, (p, q) = int(size), channel(epsilon)
    mechanism = RandomizedResponse.at(Decimal(epsilon))
    counts, sizes = np.arange(n + 1.0), np.full(n + 1, float(n))
    shares = (counts / n - q) / (p - q)
    half = normal_quantile(0.95) * estimate_of(0, n, p, q).noise_error
    assert round(least_coverage_on_respondents(shares - half, shares + half, p, q), 3) == float(
        fixed
    )
    lows, highs = ((end - q) / (p - q) for end in wilson_ends(counts, sizes, 0.95))
    assert round(least_coverage_on_respondents(lows, highs, p, q), 3) == float(by_wilson)
    for share, printed in zip((0.1, 0.5), halves, strict=True):
        plan = plan_mechanism(mechanism, Target(respondents=n, share=share))
        assert float(f"{plan['margin']:.3g}") == float(printed)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("count", "n"), [(0, 1), (0, 20), (7, 20), (20, 20), (5000, 100000)])
def test_both_intervals_agree_with_an_independent_implementation(
    count: int, n: int, confidence: float
) -> None:
    wilson = Interval(*wilson_ends(float(count), float(n), confidence))
    exact = clopper_pearson(count, n, confidence)
    for ours, name in ((wilson, "wilson"), (exact, "exact")):
        theirs = stats.binomtest(count, n).proportion_ci(confidence, name)
        assert ours.low == pytest.approx(theirs.low, abs=1e-12)
        assert ours.high == pytest.approx(theirs.high, abs=1e-12)


@pytest.mark.parametrize("n", [10, 50, 200])
@pytest.mark.parametrize("epsilon", ["0.5", "2", "4"])
def test_the_guaranteed_interval_never_covers_less_than_it_promises(epsilon: str, n: int) -> None:
    p, q = channel(epsilon)
    for share in np.linspace(0, 1, 41).tolist():
        assert coverage(ShareArrays.exact_intervals, share, n, p, q) >= 0.95


def fixed_respondents_coverage(true: int, n: int, p: float, q: float) -> float:
    """Return the coverage for fixed answers: two binomials, convolved exactly."""
    chances = np.convolve(
        stats.binom.pmf(np.arange(true + 1), true, p),
        stats.binom.pmf(np.arange(n - true + 1), n - true, q),
    )
    low, high = share_arrays(range(n + 1), n, p, q).respondents_intervals()
    return float(chances[(n * low <= true) & (true <= n * high)].sum())


@pytest.mark.parametrize(
    ("epsilon", "n", "least"),
    [("0.1", 500, 0.946), ("0.5", 50, 0.943), ("1", 500, 0.945), ("2", 500, 0.947)],
)
def test_the_interval_of_the_total_covers_among_fixed_respondents(
    epsilon: str, n: int, least: float
) -> None:
    p, q = channel(epsilon)
    found = min(fixed_respondents_coverage(round(n * share), n, p, q) for share in SHARES)
    assert round(found, 3) == least


def test_few_flips_switch_the_interval_of_the_total_to_the_guaranteed_one() -> None:
    """At epsilon 4 and n = 50 the normal approximation covers 0.900; the guaranteed one is safe."""
    p, q = channel("4")
    assert estimate_of(25, 50, p, q).total_interval() == estimate_of(
        25, 50, p, q
    ).exact_interval().scaled(50)
    assert min(fixed_respondents_coverage(true, 50, p, q) for true in (0, 1, 5, 25)) >= 0.95


def test_the_interval_of_the_total_is_narrower_than_the_populations() -> None:
    estimate = estimate_of(431, 1000, *channel("1"))
    total, share = estimate.total_interval(), estimate.interval()
    assert total.high - total.low < 1000 * (share.high - share.low)
    # z sqrt(n v) with v = 0.92067
    assert (total.high - total.low) / 2 == pytest.approx(1.959964 * (920.67) ** 0.5, rel=1e-5)


def test_more_confidence_widens_every_interval() -> None:
    estimate = estimate_of(431, 1000, 0.75, 0.25)
    for interval_of in (estimate.interval, estimate.exact_interval, estimate.total_interval):
        narrow, wide = interval_of(0.8), interval_of(0.99)
        assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize(
    "confidence",
    [0.0, 1.0, -0.5, 95.0, float("nan"), float("inf"), 1e-308, math.nextafter(1, 0)],
)
def test_a_confidence_outside_zero_and_one_is_refused(confidence: float) -> None:
    with pytest.raises(Refusal, match="confidence must be between 0 and 1"):
        normal_quantile(confidence)
    with pytest.raises(Refusal, match="confidence must be between 0 and 1"):
        clopper_pearson(1, 2, confidence)
