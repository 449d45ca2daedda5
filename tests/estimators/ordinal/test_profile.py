"""Cumulative shares and quantiles of levels: worked examples, limits in order, grouping."""

from decimal import Decimal
from itertools import count

import numpy as np
import pytest
from scipy import optimize

from client.authoring.draft.mechanism_choice import square_wave
from client.core.mechanisms import RandomThreshold, SlidingWindow
from client.core.primitives.refusal import Refusal
from estimators.ordinal.cumulative import CUT
from estimators.ordinal.em import GroupedChannel, channel_matrix, expectation_maximisation
from estimators.ordinal.profile import Flags, Profile, ProfileLimits, linear_limits
from estimators.tables.level_rows import level_rows
from tests.support.analyses import level_analysis
from tests.support.levels import ONE, Array, estimates_of, expected_counts, name, simulated

WINDOW = SlidingWindow.at(ONE, top=10, width=5)
REPORTS = [60, 75, 90, 105, 110, 120, 115, 100, 85, 70, 60, 50, 40, 35, 30, 25]
THRESHOLDS = RandomThreshold.at(ONE, top=6)
YES = (70, 66, 55, 58, 40, 33)
BITS = [count for yes in YES for count in (100 - yes, yes)]
FOUR = Decimal(4)


def profile_of(mechanism: SlidingWindow, counts: list[int]) -> Profile:
    return Profile.of(GroupedChannel(level_analysis(mechanism)), np.array(counts, np.float64))


def deviance(profile: Profile, flags: Flags, share: float) -> float:
    """Return how Q rises if the flagged bins have exactly this share."""
    wanted = optimize.brentq(lambda at: profile.pulled(flags, at)[0] - share, 0, 1, xtol=1e-14)
    return profile.pulled(flags, wanted)[1]


def test_the_example_of_a_window() -> None:
    profile, found = profile_of(WINDOW, REPORTS), estimates_of(WINDOW, REPORTS).cumulative
    expected = [0.159992, 0.185555, 0.185182, 0.185918, 0.101124, 0.127977, 0.054252, 0, 0, 0, 0]
    assert profile.shares == pytest.approx(np.array(expected), abs=5e-7)
    assert found.fitted == pytest.approx(np.cumsum(expected)[:-1], abs=3e-6)
    four, seven = found.interval(4), found.interval(7)
    assert (four.low, four.high) == pytest.approx((0.629694, 1), abs=5e-7)
    assert (seven.low, seven.high) == pytest.approx((0.926711, 1), abs=5e-7)
    assert deviance(profile, np.arange(11) <= 4, 0.6) == pytest.approx(9.40505, abs=5e-6)
    assert deviance(profile, np.arange(11) <= 4, four.low) == pytest.approx(CUT, abs=1e-6)


def test_the_example_of_thresholds() -> None:
    found = estimates_of(THRESHOLDS, BITS)
    expected = [0.067209, 0.153767, 0.359343, 0.359343, 0.716395, 0.867872]
    assert found.cumulative.fitted == pytest.approx(np.array(expected), abs=5e-7)
    two, four = found.cumulative.interval(2), found.cumulative.interval(4)
    assert (two.low, two.high) == pytest.approx((0.122063, 0.556223), abs=5e-7)
    assert (four.low, four.high) == pytest.approx((0.438330, 0.959546), abs=5e-7)
    median = found.quantile(0.5)
    assert (median.value, median.interval.low, median.interval.high) == (4, 2, 5)


def slow_misfit(mechanism: SlidingWindow, counts: list[int], inside: Array, share: float) -> float:
    """Return the least Q with a given share of a set, by a general optimiser."""
    channel, observed = level_analysis(mechanism), np.array(counts) / sum(counts)
    matrix = channel_matrix(channel)
    weights = sum(counts) / (matrix @ expectation_maximisation(channel, observed, 100))
    found = optimize.minimize(
        lambda shares: float(weights @ (observed - matrix @ shares) ** 2),
        np.full(mechanism.top + 1, 1 / (mechanism.top + 1)),
        jac=lambda shares: -2 * matrix.T @ (weights * (observed - matrix @ shares)),
        bounds=[(0, 1)] * (mechanism.top + 1),
        constraints=[
            {"type": "eq", "fun": lambda shares: shares.sum() - 1},
            {"type": "eq", "fun": lambda shares: inside @ shares - share},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    return float(found.fun)


@pytest.mark.parametrize("inside", [[1, 1, 0, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 0]])
def test_the_profile_of_any_set_of_levels_is_that_of_a_general_optimiser(inside: list[int]) -> None:
    mechanism, counts = SlidingWindow.at(ONE, top=4, width=2), [70, 120, 160, 90, 80, 110, 60]
    profile, flags = profile_of(mechanism, counts), np.array(inside)
    interval = profile.interval(flags.astype(bool))
    for end in (interval.low, interval.high):
        rise = slow_misfit(mechanism, counts, flags, end) - profile.least
        # An end within 0 and 1 lies on the cut, and 0 or 1 itself is not beyond it.
        assert rise == pytest.approx(CUT, abs=1e-3) or (end in (0, 1) and rise < CUT)


SHAPES = [
    (square_wave(40, ONE), 2_000),
    (square_wave(200, FOUR), 900),
    (square_wave(1000, ONE), 20_000),
    (SlidingWindow.at(ONE, top=60, width=30, silent=2), 5_000),
]


@pytest.mark.parametrize(("mechanism", "n"), SHAPES)
def test_limits_are_where_a_search_with_all_bins_finds_them(
    mechanism: SlidingWindow, n: int
) -> None:
    """Brent's method, and least squares that start from nothing, take ten times as long."""
    channel, source = level_analysis(mechanism), np.random.Generator(np.random.PCG64(4))
    chances = channel.forward(source.dirichlet(np.full(channel.truths, 0.3)))
    profile = profile_of(mechanism, source.multinomial(n, chances / chances.sum()).tolist())
    bins = np.arange(profile.bins)
    everything = np.ones(len(profile.shares), dtype=bool)
    for flags in (bins <= profile.bins // 3, bins > profile.bins // 2):

        def excess(wanted: float, flags: Flags = flags) -> float:
            return profile.pulled(flags, wanted, everything).rise - CUT

        best = float(profile.among_answers[flags].sum())
        wanted = optimize.brentq(excess, best, 1, xtol=1e-13)
        limit = profile.pulled(flags, wanted, everything).share
        assert profile.high(flags) == pytest.approx(limit, abs=1e-8)
        for near, reaches in ((-1e-4, True), (-1e-12, True), (1e-12, False), (1e-4, False)):
            assert profile.reaches(flags, profile.high(flags) + near) == reaches


def test_all_limits_and_quantiles_of_1001_levels_take_few_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fits, pulled = count(), Profile.pulled
    monkeypatch.setattr(Profile, "pulled", lambda *args: (next(fits), pulled(*args))[1])
    shares = np.exp(-np.arange(1001) / 130)
    found = simulated(square_wave(1000, ONE), shares / shares.sum(), 5_000, 3)
    assert len(level_rows(found, (), 0.95, exact=False)) == 1 + 5 + 20 + 1001
    # A search for each limit took 1,122.
    assert 100 < next(fits) < 300


def brute_deviance(level: int, share: float) -> float:
    """Return the deviance of thresholds with F given at a level, by a general optimiser."""
    p, q = float(THRESHOLDS.p), float(THRESHOLDS.q)
    no = 100 - np.array(YES)

    def loss(cumulative: Array) -> float:
        lam = q + (p - q) * cumulative
        return -float(no @ np.log(lam) + (100 - no) @ np.log(1 - lam))

    rising = [{"type": "ineq", "fun": lambda x, at=at: x[at + 1] - x[at]} for at in range(5)]
    given = {"type": "eq", "fun": lambda x: x[level] - share}
    start, bounds = np.linspace(0.1, 0.9, 6), [(0, 1)] * 6
    free = optimize.minimize(loss, start, bounds=bounds, constraints=rising, tol=1e-12)
    bound = optimize.minimize(loss, start, bounds=bounds, constraints=[*rising, given], tol=1e-12)
    return 2 * float(bound.fun - free.fun)


@pytest.mark.parametrize("level", range(6))
def test_the_limits_of_thresholds_are_those_of_a_general_optimiser(level: int) -> None:
    interval = estimates_of(THRESHOLDS, BITS).cumulative.interval(level)
    for end in (interval.low, interval.high):
        rise = brute_deviance(level, end)
        assert rise == pytest.approx(CUT, abs=1e-4) or (end in (0, 1) and rise < CUT)


MECHANISMS = [RandomThreshold.at(ONE, top=9), square_wave(9, ONE), square_wave(9, FOUR)]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=name)
@pytest.mark.parametrize("seed", range(4))
def test_quantiles_are_read_off_the_same_limits_as_the_shares(
    mechanism: RandomThreshold | SlidingWindow, seed: int
) -> None:
    """All levels v with high(F(v)) >= part and low(F(v - 1)) <= part, word for word."""
    shares = np.random.Generator(np.random.PCG64(seed)).dirichlet(np.ones(10) / 2)
    found = simulated(mechanism, shares, 700, seed)
    limits = [found.cumulative.interval(level) for level in range(9)]
    low = [0.0, *(limit.low for limit in limits)]
    high = [*(limit.high for limit in limits), 1.0]
    assert all(0 <= limit.low <= limit.high <= 1 for limit in limits)
    for part in (0.05, 0.25, 0.5, 0.75, 0.95):
        possible = [level for level in range(10) if high[level] >= part >= low[level]]
        quantile = found.quantile(part)
        assert (quantile.interval.low, quantile.interval.high) == (possible[0], possible[-1])
        assert quantile.interval.low <= quantile.value <= quantile.interval.high


def test_above_an_epsilon_of_two_and_a_half_the_unbiased_interval_is_in_the_hull() -> None:
    truth = np.array([0.0, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0])
    for epsilon, is_hull in ((Decimal("2.5"), False), (Decimal("2.6"), True)):
        mechanism = square_wave(9, epsilon)
        found = simulated(mechanism, truth, 500, 1)
        counts = np.array(found.tally.counts, np.float64)
        grouped = GroupedChannel(level_analysis(mechanism))
        profile = ProfileLimits(grouped, Profile.of(grouped, counts))
        linear = linear_limits(grouped, counts)
        wider = 0
        for level in range(9):
            interval = found.cumulative.interval(level)
            ends = (profile.low(level), profile.high(level))
            if is_hull:
                ends = min(ends[0], linear.low(level)), max(ends[1], linear.high(level))
            assert (interval.low, interval.high) == ends
            wider += linear.low(level) < profile.low(level) or (
                linear.high(level) > profile.high(level)
            )
        assert wider > 0


def test_everybody_at_one_end_has_all_quantiles_there() -> None:
    mechanism = RandomThreshold.at(FOUR, top=3)
    bottom = estimates_of(mechanism, expected_counts(mechanism, np.array([1.0, 0, 0, 0]), 9000))
    top = estimates_of(mechanism, expected_counts(mechanism, np.array([0, 0, 0, 1.0]), 9000))
    for part in (0.05, 0.5, 0.95):
        assert bottom.quantile(part).value == bottom.quantile(part).interval.high == 0
        assert top.quantile(part).value == top.quantile(part).interval.low == 3


def test_a_threshold_nobody_was_asked_about_is_limited_by_its_neighbours() -> None:
    mechanism = RandomThreshold.at(FOUR, top=3)
    found = estimates_of(mechanism, [400, 600, 0, 0, 420, 580]).cumulative
    first, middle, last = (found.interval(level) for level in range(3))
    assert middle.low == pytest.approx(first.low, abs=1e-9)
    assert middle.high == pytest.approx(last.high, abs=1e-9)


@pytest.mark.parametrize("mechanism", [THRESHOLDS, WINDOW], ids=name)
def test_a_single_report_limits_nothing_much(mechanism: RandomThreshold | SlidingWindow) -> None:
    found = estimates_of(mechanism, [1] + [0] * (mechanism.cells - 1)).cumulative
    for level in range(mechanism.top):
        interval = found.interval(level)
        assert interval.high - interval.low > 0.9


def test_a_fine_grid_is_grouped_and_its_limits_hold_inside_a_bin() -> None:
    mechanism = square_wave(1000, ONE)
    shares = np.exp(-np.arange(1001) / 130.0)
    shares /= shares.sum()
    found = simulated(mechanism, shares, 20_000, 5)
    grouped = GroupedChannel(level_analysis(mechanism))
    widths = np.diff(grouped.edges)
    assert (len(widths), widths.min(), widths.max(), widths.sum()) == (128, 7, 8, 1001)
    assert channel_matrix(grouped).sum(axis=0) == pytest.approx(1)
    ratio = np.linspace(1, 2, mechanism.cells)
    assert grouped.backward(ratio) == pytest.approx(channel_matrix(grouped).T @ ratio)
    inside, edge, end = 20, int(grouped.edges[2]) - 1, int(grouped.edges[3]) - 1
    assert edge < inside < end
    assert found.cumulative.interval(inside).low == found.cumulative.interval(edge).low
    assert found.cumulative.interval(inside).high == found.cumulative.interval(end).high
    truth = np.cumsum(shares)
    for level in range(0, 1000, 111):
        interval = found.cumulative.interval(level)
        assert interval.low <= truth[level] <= interval.high


@pytest.mark.parametrize("part", [0, 1, float("nan")])
def test_a_quantile_of_no_part_is_refused(part: float) -> None:
    with pytest.raises(Refusal, match="chance must be between 0 and 1"):
        estimates_of(THRESHOLDS, BITS).quantile(part)
