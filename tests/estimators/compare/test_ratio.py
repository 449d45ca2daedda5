"""The ratio of two shares: Fieller's set, with and without an upper end."""

import math

import pytest

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


def test_reports_that_are_all_alike_do_not_make_a_ratio_exact() -> None:
    everybody = ratio_of(yes_no(30, 30, 4.0), yes_no(30, 30, 4.0))
    assert everybody.high is not None
    assert everybody.low < 0.95
    assert everybody.high > 1.05
    nobody = ratio_of(yes_no(0, 30, 4.0), yes_no(0, 30, 4.0))
    assert (nobody.value, nobody.low, nobody.high) == (None, 0, None)
