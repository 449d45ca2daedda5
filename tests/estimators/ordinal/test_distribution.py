"""The distribution of levels by EM: its formula, its maximum, table 5b."""

from decimal import Decimal
from time import thread_time

import numpy as np
import pytest
from scipy import optimize

from client.authoring.draft.mechanism_choice import best_subset_selection, square_wave
from client.core.kinds import DISTRIBUTION, Number
from client.core.mechanisms import RandomThreshold, SlidingWindow, SubsetSelection
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.mechanisms.window_estimates import WindowEstimates
from estimators.ordinal.em import channel_matrix, expectation_maximisation
from estimators.tables.question import estimate_question
from tests.support.analyses import choice_estimates, level_analysis
from tests.support.levels import ONE, ORDERED, WINDOWS, Array, estimates_of, name, simulated


@pytest.mark.parametrize("mechanism", ORDERED[1:], ids=name)
def test_em_climbs_to_the_likeliest_distribution(
    mechanism: RandomThreshold | SlidingWindow,
) -> None:
    """Compared with a general optimiser, from counts that no distribution fits exactly."""
    source = np.random.Generator(np.random.PCG64(3))
    observed = source.multinomial(500, np.full(mechanism.cells, 1 / mechanism.cells)) / 500
    channel = channel_matrix(level_analysis(mechanism))
    found = expectation_maximisation(level_analysis(mechanism), observed, steps=10_000)
    best = optimize.minimize(
        lambda shares: -float(observed @ np.log(np.maximum(channel @ shares, 1e-300))),
        np.full(mechanism.top + 1, 1 / (mechanism.top + 1)),
        bounds=[(0, 1)] * (mechanism.top + 1),
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    reached = float(observed @ np.log(channel @ found))
    assert reached >= -best.fun - 1e-7
    assert found.sum() == pytest.approx(1)


def test_one_step_of_em_is_the_formula() -> None:
    mechanism = WINDOWS[0]
    observed = np.array([3, 1, 4, 1, 5, 9, 2]) / 25
    channel, start = channel_matrix(level_analysis(mechanism)), np.full(5, 0.2)
    step = start * (channel.T @ (observed / (channel @ start)))
    found = expectation_maximisation(level_analysis(mechanism), observed, steps=1)
    assert found == pytest.approx(step)


def test_em_of_1001_levels_is_that_of_the_whole_matrix_at_a_fraction_of_its_cost() -> None:
    channel = level_analysis(square_wave(1000, ONE))
    observed = np.array(simulated(channel.mechanism, np.full(1001, 1 / 1001), 5000, 2).tally.counts)
    matrix, shares = channel_matrix(channel), np.full(1001, 1 / 1001)
    began = thread_time()
    for _ in range(20):
        shares *= matrix.T @ (observed / 5000 / (matrix @ shares))
    twenty_by_matrix = thread_time() - began
    assert expectation_maximisation(channel, observed / 5000, 20) == pytest.approx(shares)
    began = thread_time()
    found = expectation_maximisation(channel, observed / 5000)
    # Measured: fifteen times as many steps in a fifth of the time.
    assert thread_time() - began < 5 * twenty_by_matrix
    assert found.sum() == pytest.approx(1)


def test_em_of_1001_levels_never_becomes_less_likely_and_nears_the_optimum() -> None:
    """By the conditions of Karush, Kuhn and Tucker no other shares could gain more than `rest`."""
    channel = level_analysis(square_wave(1000, ONE))
    counts = np.array(simulated(channel.mechanism, np.full(1001, 1 / 1001), 5000, 2).tally.counts)
    observed, before = counts / 5000, -np.inf
    rests = []
    for steps in (1, 30, 300, 3000):
        shares = expectation_maximisation(channel, observed, steps)
        expected = channel.forward(shares)
        reached = float(counts @ np.log(expected))
        assert reached > before
        before = reached
        rests.append(5000 * (float(channel.backward(observed / expected).max()) - 1))
    assert rests[-1] < rests[0] / 10


def test_a_grid_too_fine_for_a_distribution_is_refused_but_has_a_mean() -> None:
    mechanism = SlidingWindow.at(ONE, top=2000, width=1500)
    found = estimates_of(mechanism, [1] * mechanism.cells)
    assert found.mean.standard_error > 0
    with pytest.raises(Refusal, match="at most 1001 levels, got 2001"):
        found.distribution()
    with pytest.raises(Refusal, match="at most 1001 levels, got 2001"):
        found.quantile(0.5)
    with pytest.raises(Refusal, match="at most 1001 levels, got 2001"):
        found.score([float(at >= 1000) for at in range(2001)])


def skewed() -> Array:
    shares: Array = np.exp(-np.arange(64) / 12.0)
    return shares / float(shares.sum())


def two_peaked() -> Array:
    levels = np.arange(64)
    peaks = (np.exp(-(((levels - middle) / 5) ** 2) / 2) for middle in (16, 48))
    shares: Array = np.sum(list(peaks), axis=0)
    return shares / float(shares.sum())


@pytest.mark.parametrize("truth", [skewed(), two_peaked()], ids=["skewed", "two-peaked"])
def test_em_on_a_window_beats_subset_selection_on_the_distribution(truth: Array) -> None:
    """Table 5b at a small scale: mean absolute error of the cdf over ten samples of 5,000."""
    window, subsets = square_wave(63, ONE), best_subset_selection(64, ONE, 1024)
    errors: dict[str, list[float]] = {"window": [], "subsets": []}
    p, q = float(subsets.p), float(subsets.q)
    source = np.random.Generator(np.random.PCG64(11))
    for seed in range(10):
        found = simulated(window, truth, 5000, seed)
        observed = np.array(found.tally.counts) / 5000
        shares = expectation_maximisation(level_analysis(window), observed)
        errors["window"].append(cdf_error(shares, truth))
        counts = sampled_support(subsets, truth, 5000, source)
        raw = choice_estimates(subsets, Tally.of_cells(counts, subsets.size))
        assert raw.shares == pytest.approx((np.array(counts) / 5000 - q) / (p - q))
        errors["subsets"].append(cdf_error(raw.possible_shares, truth))
    assert np.mean(errors["window"]) < 0.6 * np.mean(errors["subsets"])
    assert np.mean(errors["window"]) < 0.05


def cdf_error(shares: Array, truth: Array) -> float:
    return float(np.abs(np.cumsum(shares) - np.cumsum(truth)).mean())


def sampled_support(
    mechanism: SubsetSelection, truth: Array, n: int, source: np.random.Generator
) -> list[int]:
    """Draw subset selection in bulk: the truth with chance p, the rest of the set at random."""
    counts = np.zeros(mechanism.options, dtype=int)
    for level in source.choice(mechanism.options, size=n, p=truth):
        keep = bool(source.random() < float(mechanism.p))
        others = source.permutation(mechanism.options - 1)[: mechanism.size - keep]
        counts[others + (others >= level)] += 1
        counts[level] += keep
    return [int(count) for count in counts]


def test_the_goal_of_a_distribution_takes_the_width_of_the_square_wave() -> None:
    kind = Number(lo=Decimal(0), hi=Decimal(60), step=Decimal(1), goal=DISTRIBUTION)
    question = Question("drinks", "?", kind, ONE, square_wave(60, ONE))
    found = estimate_question(question, Tally.of_cells([10] * question.mechanism.cells))
    assert isinstance(found, WindowEstimates)
    assert len(found.distribution()) == 61
