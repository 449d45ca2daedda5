"""Shares of all options at once: arrays that agree with single estimates, scores, the leader."""

import math
from decimal import Decimal

import numpy as np
import pytest

from client.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    SampledChecks,
    SubsetSelection,
    Supporting,
)
from client.refusal import Refusal
from estimators.checks import CheckEstimates
from estimators.choices import ChoiceEstimates
from estimators.intervals import bonferroni, normal_quantile, sidak
from estimators.leading import chance_of_lead, leader
from estimators.question import estimate_mechanism
from estimators.shares import MAX_COVARIANCE, ShareEstimates
from estimators.support import walsh_hadamard
from estimators.tally import Tally

ONE = Decimal(1)
BOXES = SampledChecks.at(ONE, options=3, asked=1)
TALLIES: list[tuple[Supporting, tuple[int, ...]]] = [
    (RandomizedResponse.at(ONE), (569, 431)),
    (SubsetSelection.at(ONE, options=4, size=1), (10, 200, 30, 60)),
    (SubsetSelection.at(ONE, options=5, size=2), (100, 90, 80, 70, 60)),
    (HadamardResponse.at(ONE, options=5), (30, 10, 20, 5, 40, 3, 9, 11)),
    (BOXES, (60, 40, 70, 20, 95, 5)),
    (PrivateSet.at(ONE, options=4, at_most=2, size=1), (50, 40, 30, 20, 30, 10)),
]


def estimates_of(mechanism: Supporting, counts: tuple[int, ...]) -> ShareEstimates:
    found = estimate_mechanism(mechanism, Tally.of_cells(counts, mechanism.marks))
    assert isinstance(found, ShareEstimates)
    return found


def of(index: int) -> ShareEstimates:
    return estimates_of(*TALLIES[index])


@pytest.mark.parametrize(("mechanism", "counts"), TALLIES, ids=[m.name for m, _ in TALLIES])
def test_arrays_and_single_estimates_say_the_same(
    mechanism: Supporting, counts: tuple[int, ...]
) -> None:
    found = estimates_of(mechanism, counts)
    lows, highs = found.intervals(0.9)
    exact_lows, exact_highs = found.exact_intervals(0.9)
    for option, single in enumerate(found.options):
        assert single is not None
        figures = {
            single.share: found.shares,
            single.total: found.totals,
            single.noise_variance: found.noise_variances,
            single.sampling_variance: found.sampling_variances,
            single.noise_error: found.noise_errors,
            single.sampling_error: found.sampling_errors,
            single.standard_error: found.standard_errors,
            single.clipped_share: found.clipped(),
            single.interval(0.9).low: lows,
            single.interval(0.9).high: highs,
            single.exact_interval(0.9).low: exact_lows,
            single.exact_interval(0.9).high: exact_highs,
        }
        for one, all_of_them in figures.items():
            assert all_of_them[option] == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_shares_of_a_choice_sum_to_one_by_themselves(index: int) -> None:
    found = of(index)
    everybody = found.score(np.ones(len(found.shares)))
    assert everybody.value == pytest.approx(1)
    assert everybody.noise_error == pytest.approx(0, abs=1e-7)
    assert everybody.sampling_error == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("index", range(len(TALLIES)))
def test_the_score_of_one_option_is_its_estimate(index: int) -> None:
    found = of(index)
    for option, single in enumerate(found.options):
        assert single is not None
        score = found.score(np.eye(len(found.shares))[option])
        assert score.value == pytest.approx(single.share)
        assert score.noise_variance == pytest.approx(single.noise_variance)
        assert score.sampling_variance == pytest.approx(single.sampling_variance)


@pytest.mark.parametrize("index", range(4))
def test_a_score_has_the_variance_of_the_covariance_matrix(index: int) -> None:
    found = of(index)
    target = np.cos(np.arange(len(found.shares)))
    score, matrix = found.score(target), found.covariance()
    assert score.value == pytest.approx(target @ found.shares)
    assert score.noise_variance == pytest.approx(target @ matrix.noise @ target)
    assert score.sampling_variance == pytest.approx(target @ matrix.sampling @ target)
    assert matrix.noise.diagonal() == pytest.approx(found.noise_variances)
    assert matrix.sampling.diagonal() == pytest.approx(found.sampling_variances)


def test_a_difference_is_not_two_independent_estimates() -> None:
    """Of two options, what one gains the other loses: the difference has twice the error."""
    found = of(0)
    difference = found.difference(1, 0)
    yes = found.options[1]
    assert yes is not None
    assert difference.value == pytest.approx(2 * yes.share - 1)
    assert difference.noise_error == pytest.approx(2 * yes.noise_error)
    assert difference.noise_error > math.sqrt(2) * yes.noise_error * 1.4


def test_the_score_of_check_boxes_takes_the_worst_joint_share() -> None:
    """With one box per report the boxes are independent; a pair in a private set is not."""
    independent = estimates_of(BOXES, (60, 40, 55, 45, 50, 50))
    difference = independent.difference(0, 1)
    apart = math.hypot(*independent.standard_errors[:2])
    assert difference.standard_error == pytest.approx(apart)
    mechanism = PrivateSet.at(ONE, options=6, at_most=2, size=2)
    found = estimates_of(mechanism, (60, 50, 40, 30, 40, 30, 50, 40))
    plain = found.covariance().population
    assumed = plain[0, 0] + plain[1, 1] - 2 * plain[0, 1]
    assert found.difference(0, 1).standard_error ** 2 > assumed
    assert found.difference(0, 1).standard_error ** 2 == pytest.approx(assumed, rel=0.05)


def test_a_ratio_is_linear_where_the_base_is_everybody() -> None:
    found = of(2)
    levels = np.arange(5.0)
    mean = found.score(levels)
    ratio = found.ratio(levels, np.ones(5))
    assert ratio.value == pytest.approx(mean.value)
    assert ratio.standard_error == pytest.approx(mean.standard_error)


def test_a_ratio_among_some_moves_as_its_linearisation_says() -> None:
    """One report more, divided out: the first-order change of numerator over base."""
    found = of(2)
    target, base = np.array([0.0, 1, 2, 3, 0]), np.array([1.0, 1, 1, 1, 0])
    ratio = found.ratio(target, base)
    assert ratio.value == pytest.approx(found.score(target).value / found.score(base).value)
    slope = (target - ratio.value * base) / found.score(base).value
    assert ratio.noise_variance == pytest.approx(found.score(slope).noise_variance)
    with pytest.raises(Refusal, match="nobody is estimated to be in the base"):
        found.ratio(target, np.zeros(5))


@pytest.mark.parametrize("target", [(1.0, 2.0), (1, 2, 3, 4, math.nan), ((1, 2, 3, 4, 5),)])
def test_a_target_that_does_not_fit_the_options_is_refused(target: tuple[float, ...]) -> None:
    with pytest.raises(Refusal, match="one finite number for each of the 5 options"):
        of(2).score(target)


def test_a_box_that_nobody_was_asked_about_has_no_estimate() -> None:
    found = estimates_of(BOXES, (60, 40, 0, 0, 95, 5))
    assert found.options[1] is None
    assert np.isnan(found.shares[1])
    assert found.max_error() == math.inf
    assert found.leader().option == 0
    assert 1 in found.leader().rivals
    assert found.leader().chance <= 0.5


def test_one_report_about_a_box_is_given_the_largest_possible_spread() -> None:
    found = estimates_of(BOXES, (0, 1, 1, 1, 5, 2))
    assert found.sampling_variances[0] == 0.25 / 10
    single = found.options[0]
    assert single is not None
    assert single.sampling_variance == 0.025


def test_a_tally_that_no_reports_could_have_made_is_refused() -> None:
    mechanism = SubsetSelection.at(ONE, options=3, size=2)
    with pytest.raises(Refusal, match="counts must add up to 2 for each of the 4 reports, got 7"):
        ChoiceEstimates(mechanism, Tally((3, 3, 1), 4))
    with pytest.raises(Refusal, match="counts must add up to 2 for each report, got 7"):
        Tally.of_cells((3, 3, 1), 2)
    with pytest.raises(Refusal, match="an estimate needs at least one report"):
        ChoiceEstimates(mechanism, Tally((0, 0, 0), 0))


def test_shares_of_check_boxes_have_no_simplex() -> None:
    with pytest.raises(Refusal, match="need not sum to one"):
        of(4).norm_sub()
    assert of(4).maximum_likelihood() == pytest.approx(of(4).clipped())


def test_a_covariance_matrix_of_a_long_list_is_refused() -> None:
    mechanism = HadamardResponse.at(ONE, options=MAX_COVARIANCE + 1)
    found = estimates_of(mechanism, (1,) * mechanism.cells)
    with pytest.raises(Refusal, match="at most 2048 options; use score"):
        found.covariance()
    assert found.score(np.ones(len(found.shares))).noise_error > 0


def test_the_fast_transform_is_the_matrix_of_signs() -> None:
    values = np.arange(32).reshape(16, 2) ** 2
    signs = [[(-1) ** (c & z).bit_count() for z in range(16)] for c in range(16)]
    assert (walsh_hadamard(values) == np.array(signs) @ values).all()


def test_ten_thousand_options_are_estimated_as_arrays() -> None:
    mechanism = HadamardResponse.at(Decimal("0.1"), options=10_000)
    source = np.random.Generator(np.random.PCG64(1))
    counts = source.multinomial(100_000, np.full(16384, 1 / 16384))
    found = estimates_of(mechanism, tuple(counts.tolist()))
    column = 5010 + 1
    agree = [(z & column).bit_count() % 2 == 0 for z in range(16384)]
    assert found.reported[5010] == counts[agree].sum()
    assert found.norm_sub().sum() == pytest.approx(1)
    assert len(found.leader().rivals) > 9000


@pytest.mark.parametrize("index", range(4))
def test_errors_of_differences_are_those_of_scores(index: int) -> None:
    found = of(index)
    errors = found.difference_errors(1)
    for other in range(len(found.shares)):
        if other != 1:
            assert errors[other] == pytest.approx(found.difference(1, other).standard_error)


def test_the_leader_is_named_with_all_that_cannot_be_told_from_it() -> None:
    shares = np.array([0.5, 0.46, 0.1, 0.05])
    errors = np.array([0.0, 0.02, 0.02, 0.02])
    found = leader(shares, errors, 0, 0.95)
    # z for 95 % over three differences is 2.394; 0.04 / 0.02 is less, 0.4 / 0.02 is more.
    assert (found.option, found.rivals, found.is_clear) == (0, (1,), False)
    assert found.chance == pytest.approx(1 - 0.0227501, abs=1e-6)
    assert leader(shares, errors / 4, 0, 0.95).is_clear


def test_a_lead_of_nothing_is_right_half_the_time_at_most() -> None:
    assert chance_of_lead(np.array([0.0]), np.array([0.1])) == 0.5
    assert chance_of_lead(np.array([0.0, 0.0, 0.0]), np.array([0.1, 0.1, 0.1])) == 0


def test_the_leader_of_one_box_has_no_rivals() -> None:
    found = estimates_of(SampledChecks.at(ONE, options=1, asked=1), (5, 9))
    assert found.leader().is_clear
    assert found.leader().chance == 1


def test_bonferroni_and_sidak_make_single_intervals_hold_together() -> None:
    assert bonferroni(0.95, 10) == pytest.approx(0.995)
    assert sidak(0.95, 10) ** 10 == pytest.approx(0.95)
    assert sidak(0.95, 10) < bonferroni(0.95, 10)
    # Table 2b: ten thousand names at once take 4.565 standard errors.
    assert normal_quantile(bonferroni(0.95, 10_000)) == pytest.approx(4.5648, abs=5e-4)
    with pytest.raises(Refusal, match="confidence must be between"):
        bonferroni(95.0, 10)


def test_the_union_bound_holds_for_the_largest_error_of_all() -> None:
    """sqrt(ln(2k/beta)/(2n))/(p - q), by Hoeffding for each option (math 7)."""
    found = of(2)
    expected = math.sqrt(math.log(2 * 5 / 0.05) / (2 * 200)) / (found.p - found.q)
    assert found.max_error(0.05) == pytest.approx(expected)
    lows, highs = found.intervals(bonferroni(0.95, 5))
    assert (highs - lows).max() / 2 < found.max_error(0.05)
    with pytest.raises(Refusal, match="chance must be between 0 and 1"):
        found.max_error(0.0)


def test_the_kinds_of_estimates_follow_the_domain() -> None:
    assert isinstance(of(3), ChoiceEstimates)
    assert isinstance(of(5), CheckEstimates)
