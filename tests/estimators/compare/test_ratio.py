"""The ratio of two shares: Fieller's set, with and without an upper end."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from estimators.compare.ratio import ratio_of
from estimators.compare.samples import ScoreSample, ShareSample
from estimators.shares.intervals import normal_quantile

Z = normal_quantile(0.95)


def yes_no(count: int, n: int, epsilon: float = 1.0) -> ShareSample:
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    return ShareSample(count, n, p, 1 - p)


def scores(value: float, error: float) -> ScoreSample:
    """A sample with this estimate and standard error."""
    return ScoreSample(100, value, 100 * error**2)


def is_held(first: ScoreSample, second: ScoreSample, ratio: float) -> bool:
    apart = (first.value - ratio * second.value) ** 2
    return apart <= Z**2 * (first.variance + ratio**2 * second.variance)


def test_the_ends_are_where_the_test_of_that_ratio_turns() -> None:
    first, second = scores(0.5, 0.05), scores(0.25, 0.04)
    found = ratio_of(first, second)
    assert found.value == 2
    assert found.high is not None
    assert is_held(first, second, found.low + 1e-9)
    assert is_held(first, second, found.high - 1e-9)
    assert not is_held(first, second, found.low - 1e-9)
    assert not is_held(first, second, found.high + 1e-9)


def test_a_second_share_that_may_be_0_leaves_no_upper_limit() -> None:
    first, second = scores(0.5, 0.05), scores(0.05, 0.04)
    found = ratio_of(first, second)
    assert found.high is None
    assert found.value == 10
    # The lower limit is one: smaller ratios are rejected, larger ones never.
    assert not is_held(first, second, found.low - 1e-6)
    assert all(is_held(first, second, ratio) for ratio in (found.low + 1e-6, 10, 1e3, 1e9))


def test_two_shares_that_may_be_0_say_nothing_about_their_ratio() -> None:
    found = ratio_of(scores(0.02, 0.05), scores(0.05, 0.04))
    assert (found.low, found.high) == (0, None)
    assert not found.flag


def test_a_second_estimate_below_0_gives_no_ratio_but_a_lower_limit() -> None:
    first, second = scores(0.5, 0.05), scores(-0.01, 0.04)
    found = ratio_of(first, second)
    assert (found.value, found.high) == (None, None)
    assert not is_held(first, second, found.low - 1e-6)
    assert is_held(first, second, found.low + 1e-6)


def test_a_gap_in_the_set_is_filled() -> None:
    """Both estimates may be 0 and one is negative: ratios in the middle alone are rejected."""
    first, second = scores(0.09, 0.05), scores(-0.075, 0.04)
    found = ratio_of(first, second)
    assert is_held(first, second, 0)
    assert (found.low, found.high) == (0, None)


def test_the_set_is_cut_at_0_and_flagged_if_nothing_is_left() -> None:
    below = ratio_of(scores(0.01, 0.05), scores(0.5, 0.04))
    assert below.low == 0
    assert below.high is not None
    assert below.high > 0
    impossible = ratio_of(scores(-0.3, 0.05), scores(0.5, 0.04))
    assert (impossible.value, impossible.low, impossible.high) == (0, 0, 0)
    assert impossible.flag


def test_the_boundary_between_bounded_and_unbounded_has_a_lower_limit() -> None:
    first = scores(0.5, 0.05)
    second = scores(0.05, 0.05 / Z)
    found = ratio_of(first, second)
    near = ratio_of(first, scores(0.05, 0.05 / Z + 1e-9))
    assert found.low == pytest.approx(near.low, rel=1e-4)


@pytest.mark.parametrize(
    ("epsilon", "sizes", "shares", "wanted"),
    [
        (1, (200, 200), (0.4, 0.2), 0.950),
        (2, (150, 250), (0.2, 0.2), 0.949),
        # A rare answer, few reports and little noise.
        (3, (100, 300), (0.1, 0.5), 0.938),
    ],
)
def test_fiellers_set_covers_as_the_readme_says(
    epsilon: float, sizes: tuple[int, int], shares: tuple[float, float], wanted: float
) -> None:
    """Exact over all tables that are not too rare."""
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    weights = np.outer(
        *(
            binom.pmf(np.arange(n + 1), n, 1 - p + (2 * p - 1) * share)
            for n, share in zip(sizes, shares, strict=True)
        )
    )
    truth, covered, seen = shares[0] / shares[1], 0.0, 0.0
    for i, j in zip(*np.nonzero(weights > 2e-6), strict=True):
        found = ratio_of(yes_no(int(i), sizes[0], epsilon), yes_no(int(j), sizes[1], epsilon))
        held = found.low <= truth and (found.high is None or truth <= found.high)
        covered += weights[i, j] * held
        seen += weights[i, j]
    assert seen > 0.99
    assert covered / seen == pytest.approx(wanted, abs=1e-3)


def test_reports_that_are_all_alike_do_not_make_a_ratio_exact() -> None:
    everybody = ratio_of(yes_no(30, 30, 4.0), yes_no(30, 30, 4.0))
    assert everybody.high is not None
    assert everybody.low < 0.95
    assert everybody.high > 1.05
    nobody = ratio_of(yes_no(0, 30, 4.0), yes_no(0, 30, 4.0))
    assert (nobody.value, nobody.low, nobody.high) == (None, 0, None)
