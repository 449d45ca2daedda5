"""Answers with an order: the mean without bias, scores, and the question's own unit."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from client.core.kinds import MEAN, Number, Scale
from client.core.mechanisms import RandomThreshold, SlidingWindow, SubsetSelection
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.mechanisms.random_threshold import ThresholdEstimates
from estimators.mechanisms.sliding_window import SlidingWindowAnalysis
from estimators.mechanisms.window_estimates import WindowEstimates
from estimators.ordinal.em import best_scores, channel_matrix
from estimators.ordinal.levels import net_promoter_target
from estimators.tables.question import estimate_question
from tests.support.analyses import choice_estimates, level_analysis
from tests.support.exact_channel import channel_of
from tests.support.levels import (
    ONE,
    ORDERED,
    THRESHOLDS,
    TWO,
    WINDOWS,
    Array,
    estimates_of,
    expected_counts,
    name,
    simulated,
)


def exact_cells(mechanism: RandomThreshold | SlidingWindow, level: int) -> list[Fraction]:
    """Return P(cell | level) from the shipped sampler."""
    cells = [Fraction(0)] * mechanism.cells
    for report, chance in channel_of(mechanism, level).items():
        for cell in mechanism.cells_of(json.loads(report)):
            cells[cell] += chance
    return cells


@pytest.mark.parametrize("mechanism", ORDERED, ids=name)
def test_the_channel_by_cumulative_sums_is_that_of_the_shipped_sampler(
    mechanism: RandomThreshold | SlidingWindow,
) -> None:
    exact = np.array(
        [[float(x) for x in exact_cells(mechanism, level)] for level in range(mechanism.top + 1)]
    ).T
    assert channel_matrix(level_analysis(mechanism)) == pytest.approx(exact, rel=1e-12)
    ratio = np.linspace(1, 2, mechanism.cells)
    assert level_analysis(mechanism).backward(ratio) == pytest.approx(exact.T @ ratio)
    both = np.column_stack((ratio, ratio**2))
    assert level_analysis(mechanism).backward(both) == pytest.approx(exact.T @ both)


@pytest.mark.parametrize("mechanism", WINDOWS, ids=name)
def test_one_report_of_a_window_gives_level_and_square_without_bias(
    mechanism: SlidingWindow,
) -> None:
    channel = channel_matrix(level_analysis(mechanism))
    levels = np.arange(mechanism.top + 1)
    analysis = SlidingWindowAnalysis(mechanism)
    assert channel.T @ analysis.mean_scores() == pytest.approx(levels, abs=1e-9)
    assert channel.T @ analysis.square_scores() == pytest.approx(levels**2, abs=1e-9)
    noise = channel.T @ analysis.mean_scores() ** 2 - levels**2
    promised = [mechanism.noise(level) for level in levels.tolist()]
    assert noise == pytest.approx(np.array(promised), rel=1e-9)


@pytest.mark.parametrize("mechanism", WINDOWS, ids=name)
def test_the_best_scores_are_unbiased_for_every_level(mechanism: SlidingWindow) -> None:
    analysis = level_analysis(mechanism)
    unit = channel_matrix(analysis).T @ best_scores(analysis)
    assert unit == pytest.approx(np.eye(mechanism.top + 1), abs=1e-9)


def one_report_means(mechanism: RandomThreshold) -> Array:
    """Return the centred score of each single report."""
    cells = np.eye(mechanism.cells, dtype=int).tolist()
    return np.array([estimates_of(mechanism, cell).mean.value for cell in cells])


@pytest.mark.parametrize("mechanism", THRESHOLDS, ids=name)
def test_one_report_of_a_threshold_is_unbiased_with_the_noise_of_section_5_3(
    mechanism: RandomThreshold,
) -> None:
    channel, scores = channel_matrix(level_analysis(mechanism)), one_report_means(mechanism)
    levels = np.arange(mechanism.top + 1)
    assert channel.T @ scores == pytest.approx(levels, abs=1e-9)
    noise = channel.T @ scores**2 - levels**2
    promised = [mechanism.noise(level) for level in levels.tolist()]
    assert noise == pytest.approx(np.array(promised), rel=1e-9)


@pytest.mark.parametrize("mechanism", ORDERED[1:], ids=name)
def test_errors_of_the_mean_are_the_promised_ones_at_the_expected_counts(
    mechanism: RandomThreshold | SlidingWindow,
) -> None:
    """Noise by the formulas of section 5, sampling by the spread of the truth."""
    levels = np.arange(mechanism.top + 1)
    shares = np.array([2.0**-level for level in levels.tolist()])
    shares /= shares.sum()
    n = 1_000_000
    counts = expected_counts(mechanism, shares, n)
    found = estimates_of(mechanism, counts)
    mean = float(shares @ levels)
    spread = float(shares @ levels**2) - mean**2
    assert found.mean.value == pytest.approx(mean, abs=1e-4)
    assert found.mean.sampling_variance * n == pytest.approx(spread, rel=1e-2)
    if isinstance(mechanism, SlidingWindow):
        noise = sum(share * mechanism.noise(level) for level, share in enumerate(shares.tolist()))
    else:
        # Stratified by threshold: M sum_t [v + S(1-S)] minus the truth's spread (math 4).
        above = 1 - np.cumsum(shares)[:-1]
        p, q = float(mechanism.p), float(mechanism.q)
        bits = p * q / (p - q) ** 2 + above * (1 - above)
        noise = mechanism.top * float(bits.sum()) - spread
    assert found.mean.noise_variance * n == pytest.approx(noise, rel=1e-3)
    assert found.mean.noise_error**2 * n == pytest.approx(noise, rel=1e-3)


def test_few_reports_on_some_threshold_switch_to_the_centred_score() -> None:
    mechanism = RandomThreshold.at(ONE, top=2)
    stratified = estimates_of(mechanism, [15, 15, 15, 15])
    centred = estimates_of(mechanism, [15, 15, 15, 14])
    p, q = float(mechanism.p), float(mechanism.q)
    assert stratified.mean.value == pytest.approx(1)
    # 2 [(y - q)/alpha - (3 - t)/3] + 1, averaged over 59 reports
    score = 2 * ((29 - 59 * q) / (p - q) - 30 * 2 / 3 - 29 / 3) / 59 + 1
    assert centred.mean.value == pytest.approx(score)


def test_a_threshold_without_reports_still_gives_a_mean_and_an_honest_interval() -> None:
    mechanism = RandomThreshold.at(ONE, top=3)
    found = estimates_of(mechanism, [5, 4, 0, 0, 3, 1])
    assert found.mean.interval().low < found.mean.value < found.mean.interval().high


@pytest.mark.parametrize("mechanism", [RandomThreshold.at(ONE, top=10), WINDOWS[0]], ids=name)
def test_a_single_report_claims_little(mechanism: RandomThreshold | SlidingWindow) -> None:
    found = estimates_of(mechanism, [1] + [0] * (mechanism.cells - 1))
    assert found.mean.standard_error > 0.4 * mechanism.top


def test_the_unit_is_that_of_the_question() -> None:
    counts = [60, 40, 50, 50, 40, 60]
    mechanism = RandomThreshold.at(ONE, top=3)
    plain, scaled = estimates_of(mechanism, counts), estimates_of(mechanism, counts, 10, 2.5)
    assert scaled.mean.value == pytest.approx(10 + 2.5 * plain.mean.value)
    assert scaled.mean.standard_error == pytest.approx(2.5 * plain.mean.standard_error)
    assert scaled.values.tolist() == [10, 12.5, 15, 17.5]
    assert scaled.quantile(0.5).value == 10 + 2.5 * plain.quantile(0.5).value


def test_a_question_brings_its_own_unit() -> None:
    mechanism = RandomThreshold.at(ONE, top=4)
    kind = Number(lo=Decimal(1), hi=Decimal(3), step=Decimal("0.5"), goal=MEAN)
    question = Question("hours", "Hours?", kind, ONE, mechanism)
    found = estimate_question(question, Tally.of_cells([50] * 8))
    assert isinstance(found, ThresholdEstimates)
    assert found.values.tolist() == [1, 1.5, 2, 2.5, 3]
    window = SlidingWindow.at(ONE, top=4, width=2)
    scale = Scale(lo=1, hi=5, goal=MEAN)
    rated = estimate_question(Question("trust", "?", scale, ONE, window), Tally.of_cells([9] * 7))
    assert isinstance(rated, WindowEstimates)
    assert rated.values.tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "mechanism", [RandomThreshold.at(TWO, top=10), SlidingWindow.at(TWO, top=10, width=4)], ids=name
)
def test_net_promoters_and_top_boxes_are_scores(
    mechanism: RandomThreshold | SlidingWindow,
) -> None:
    shares = np.array([1, 0, 1, 0, 2, 4, 2, 4, 2, 3, 1]) / 20
    found = estimates_of(mechanism, expected_counts(mechanism, shares, 10**7))
    nine, seven = (found.score([float(at >= level) for at in range(11)]).value for level in (9, 7))
    assert nine == pytest.approx(0.2, abs=1e-4)
    # 20 % promoters, 50 % detractors: S(9) + S(7) - 1
    assert found.net_promoters().value == pytest.approx(-0.3, abs=1e-4)
    assert found.net_promoters().value == pytest.approx(nine + seven - 1)
    spread = 0.2 + 0.5 - 0.3**2
    assert found.net_promoters().sampling_variance * 10**7 == pytest.approx(spread, rel=1e-2)


def test_net_promoters_of_shares_are_the_same_score() -> None:
    mechanism = SubsetSelection.at(TWO, options=11, size=1)
    shares = np.array([1, 0, 1, 0, 2, 4, 2, 4, 2, 3, 1]) / 20
    p, q = float(mechanism.p), float(mechanism.q)
    counts = [round(10**7 * (q + (p - q) * share)) for share in shares.tolist()]
    found = choice_estimates(mechanism, Tally.of_cells(counts))
    assert found.score(net_promoter_target()).value == pytest.approx(-0.3, abs=1e-5)


def test_scales_of_other_lengths_have_no_net_promoters() -> None:
    with pytest.raises(Refusal, match="needs a scale of 11 levels, got 6"):
        estimates_of(THRESHOLDS[1], [50] * 10).net_promoters()


@pytest.mark.parametrize("target", [(1.0, 2.0), (1, 2, 3, 4, 5, float("inf"))])
def test_a_target_that_does_not_fit_the_levels_is_refused(target: tuple[float, ...]) -> None:
    with pytest.raises(Refusal, match="one finite number for each of the 6 levels"):
        estimates_of(THRESHOLDS[1], [50] * 10).score(target)


def test_the_interval_of_the_mean_covers_as_often_as_promised() -> None:
    """400 samples from fixed seeds; 95 % +- 4.5 points is 4.1 standard errors."""
    shares = np.array([0.4, 0.2, 0.1, 0.1, 0.1, 0.1])
    for mechanism in (RandomThreshold.at(ONE, top=5), SlidingWindow.at(TWO, top=5, width=2)):
        means = [simulated(mechanism, shares, 500, seed).mean.interval() for seed in range(400)]
        covered = [mean.low <= 1.6 <= mean.high for mean in means]
        assert 0.905 <= sum(covered) / 400 <= 0.995
