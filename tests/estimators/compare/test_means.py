"""Means of groups: Welch's t and F, as textbooks and other programs give them."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy import stats

from client.core.mechanisms import RandomThreshold
from estimators.compare.means import welch_f, welch_interval, welch_test
from estimators.compare.samples import ScoreSample
from estimators.mechanisms.random_threshold import RandomThresholdAnalysis
from estimators.shares.spread import Array

THRESHOLDS = RandomThresholdAnalysis(RandomThreshold.at(Decimal(1), top=10))


def drawn(*shapes: tuple[int, float, float]) -> list[Array]:
    generator = np.random.Generator(np.random.SFC64(3))
    return [generator.normal(middle, spread, n) for n, middle, spread in shapes]


def sample(scores: Array) -> ScoreSample:
    return ScoreSample.of(scores, np.ones(len(scores)))


def test_two_means_are_compared_as_other_programs_do() -> None:
    one, other = drawn((40, 5.0, 3.0), (90, 4.0, 1.0))
    wanted = stats.ttest_ind(one, other, equal_var=False)
    test = welch_test(sample(one), sample(other))
    assert test.statistic == pytest.approx(wanted.statistic)
    assert test.df == pytest.approx(wanted.df)
    assert test.p_value == pytest.approx(wanted.pvalue)
    found, ends = welch_interval(sample(one), sample(other), 0.9), wanted.confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))


def test_a_score_that_occurs_often_counts_as_often() -> None:
    scores, counts = np.array([1.0, 4.0, -2.0]), np.array([3.0, 0.0, 2.0])
    repeated = sample(np.array([1.0, 1, 1, -2, -2]))
    assert ScoreSample.of(scores, counts) == repeated
    assert repeated.value == pytest.approx(-0.2)
    ends = stats.ttest_1samp([1.0, 1, 1, -2, -2], 0).confidence_interval(0.95)
    found = repeated.interval()
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))


def test_two_groups_have_the_same_p_by_t_and_by_f() -> None:
    pair = [sample(scores) for scores in drawn((25, 5.0, 3.0), (60, 4.0, 1.0))]
    t, f = welch_test(pair[0], pair[1]), welch_f(pair)
    assert t.statistic is not None
    assert f.statistic == pytest.approx(t.statistic**2)
    assert f.second_df == pytest.approx(t.df)
    assert f.p_value == pytest.approx(t.p_value)


def test_several_means_are_compared_by_welchs_f() -> None:
    groups = drawn((20, 1.0, 1.0), (35, 1.4, 2.0), (50, 0.8, 0.5), (12, 1.1, 3.0))
    wanted = stats.f_oneway(*groups, equal_var=False)
    test = welch_f([sample(scores) for scores in groups])
    assert test.statistic == pytest.approx(wanted.statistic)
    assert test.p_value == pytest.approx(wanted.pvalue)
    assert test.df == 3


def test_groups_without_spread_differ_surely_or_not_at_all() -> None:
    same, other = sample(np.full(5, 2.0)), sample(np.full(7, 3.0))
    assert welch_test(same, same).p_value == 1
    assert welch_test(same, other).p_value == 0
    assert welch_f([same, same, same]).p_value == 1
    assert welch_f([same, same, other]).p_value == 0
    assert welch_f([same, same, other]).statistic == math.inf
