"""Draws of questions, boxes and thresholds: limits and alarms keep their promise, exactly."""

from math import comb

import numpy as np
import pytest
from scipy import stats

from estimators.shares.draws import FALSE_ALARM, LIMIT_MISSES, Draw, most_drawn, most_forged

DRAWS = [Draw(n, s, d) for d in (2, 3, 10, 20) for s in {1, d - 1} for n in (1, 7, 50, 500, 3000)]


@pytest.mark.parametrize("draw", DRAWS, ids=str)
def test_honest_draws_raise_an_alarm_in_less_than_one_of_a_thousand_surveys(draw: Draw) -> None:
    """By the union bound over things, whose counts have an exactly known distribution."""
    counts = np.arange(draw.n + 1)
    law = stats.binom.pmf(counts, draw.n, draw.part)
    alarm = float(law[draw.chances(counts) < FALSE_ALARM].sum())
    assert draw.things * alarm <= FALSE_ALARM


def test_the_alarm_of_three_boxes_together_is_exactly_known() -> None:
    """All 5,151 ways in which 100 reports can be about three boxes."""
    draw, alarm = Draw(100, 1, 3), 0
    for first in range(101):
        for second in range(101 - first):
            counts = np.array([first, second, 100 - first - second])
            if (draw.chances(counts) < FALSE_ALARM).any():
                alarm += comb(100, first) * comb(100 - first, second)
    assert 0.0002 < alarm / 3**100 < FALSE_ALARM


def test_the_normal_alarm_would_be_false_more_often() -> None:
    draw = Draw(500, 1, 20)
    counts = np.arange(501)
    spread = (500 / 20 * (19 / 20)) ** 0.5
    tails = 2 * 20 * stats.norm.sf(np.abs(counts - 25) / spread)
    alarm = 20 * float(stats.binom.pmf(counts, 500, draw.part)[tails < FALSE_ALARM].sum())
    assert alarm > 1.7 * FALSE_ALARM


def test_a_flood_on_one_box_is_seen_and_one_that_is_spread_is_not() -> None:
    draw = Draw(500, 1, 10)
    flood = np.array([104] + [44] * 9)
    assert draw.chances(flood)[0] < 1e-9
    assert draw.chances(np.full(10, 50)).tolist() == [1.0] * 10
    # The published formula, from exact tails.
    tail = stats.binom.sf(69, 500, 0.1)
    assert draw.chances(np.array([70]))[0] == pytest.approx(20 * tail)
    low = stats.binom.cdf(28, 500, 0.1)
    assert draw.chances(np.array([28]))[0] == pytest.approx(20 * low)
    assert draw.chances(np.array([0]))[0] == pytest.approx(20 * 0.9**500)


@pytest.mark.parametrize("part", [0.02, 0.1, 0.5, 0.9, 0.98])
@pytest.mark.parametrize("honest", [1, 5, 14, 65, 440, 100_000])
def test_the_limit_on_forged_reports_fails_in_less_than_one_of_a_thousand(
    honest: int, part: float
) -> None:
    """It fails if fewer honest reports came than it counts on."""
    (limit,) = most_forged(np.array([honest]), honest, 2 * honest, part).tolist()
    counted_on = honest - limit
    assert stats.binom.cdf(counted_on - 1, honest, part) < LIMIT_MISSES
    # And no stricter one would hold.
    assert stats.binom.cdf(counted_on, honest, part) >= LIMIT_MISSES


def test_the_normal_limit_would_fail_where_most_are_asked() -> None:
    counted_on = np.ceil(14 * 0.9 - 3.0902 * (14 * 0.9 * 0.1) ** 0.5)
    assert stats.binom.cdf(counted_on - 1, 14, 0.9) > 9 * LIMIT_MISSES


def test_no_more_are_forged_than_there_are_reports_and_all_of_them_where_nothing_is_drawn() -> None:
    # Of 950 honest reports at least two are about a thing that one of 100 draws.
    assert most_forged(np.array([3, 0, 900]), 50, 1000, 0.01).tolist() == [1, 0, 50]
    assert most_forged(np.array([3, 0, 900]), 50, 1000, 0.001).tolist() == [3, 0, 50]
    assert most_forged(np.array([1000]), 100, 1000, 1.0).tolist() == [100]
    assert most_forged(np.array([1]), 1, 1, 0.1).tolist() == [1]
    # Fewer than honest reports alone would be: none of them can be forged.
    assert most_forged(np.array([20]), 100, 1000, 0.5).tolist() == [0]


@pytest.mark.parametrize("links", [1, 7, 60, 2000])
@pytest.mark.parametrize("part", [0.001, 0.05, 0.5, 0.9])
def test_the_luck_of_links_is_the_exact_quantile(links: int, part: float) -> None:
    """Against scipy's distribution: no more with 99.9 %, and not already with one fewer."""
    most = most_drawn(links, part)
    assert stats.binom.cdf(most, links, part) >= 1 - LIMIT_MISSES - 1e-12
    assert most == 0 or stats.binom.cdf(most - 1, links, part) < 1 - LIMIT_MISSES
    assert most_drawn(links, 1.0) == links
