"""Estimates: unbiased totals and shares, two separate variances, nothing clipped."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from scipy.stats import binom

from client.core.mechanisms import RandomizedResponse
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import WORD_RANGE
from estimators.counting.tally import Tally
from tests.support.analyses import choice_estimates, estimate_of
from tests.support.estimate import Estimate, options_of

# The threshold of epsilon = ln 3, rounded up to a number that can be checked by hand: p = 3/4.
LN3 = RandomizedResponse(threshold=3 * 2**30)


def at(epsilon: str) -> tuple[float, float]:
    mechanism = RandomizedResponse.at(Decimal(epsilon))
    return float(mechanism.p), float(mechanism.q)


def estimates_of(mechanism: RandomizedResponse, tally: Tally) -> list[Estimate]:
    return options_of(choice_estimates(mechanism, tally))


def test_figures_at_p_three_quarters_are_those_worked_out_by_hand() -> None:
    no, yes = estimates_of(LN3, Tally.of_cells([600, 400]))
    # (400 - 1000/4) / (1/2) = 300
    assert yes.total == pytest.approx(300, rel=1e-12)
    assert yes.share == pytest.approx(0.3, rel=1e-12)
    assert no.total == pytest.approx(700, rel=1e-12)
    # v = (3/4)(1/4)/(1/4) = 3/4
    assert yes.noise_variance == 0.75 / 1000
    # 0.4 * 0.6 / (999 / 4) - v / n
    assert yes.sampling_variance == pytest.approx(0.24 / (999 / 4) - 0.00075, rel=1e-12)
    assert yes.standard_error**2 == pytest.approx(0.24 / (999 / 4), rel=1e-12)
    assert yes.design_effect == pytest.approx(1 + 0.75 / 0.21)
    assert yes.effective_n == pytest.approx(1000 / (1 + 0.75 / 0.21))


@pytest.mark.parametrize("true_total", [0, 1, 3, 8])
def test_the_total_is_unbiased_and_its_noise_variance_is_n_v_whatever_the_truth(
    true_total: int,
) -> None:
    """Every outcome of eight respondents, enumerated in exact fractions."""
    p, q = LN3.p, LN3.q
    distribution = report_distribution(true_total, 8, p, q)
    totals = {c: (c - 8 * q) / (p - q) for c in distribution}
    mean = sum(chance * totals[c] for c, chance in distribution.items())
    noise = sum(chance * (totals[c] - mean) ** 2 for c, chance in distribution.items())
    assert mean == true_total
    assert noise == 8 * Fraction(3, 4)
    for c in distribution:
        estimate = estimate_of(c, 8, float(p), float(q))
        assert estimate.total == float(totals[c])
        assert estimate.noise_variance * 8**2 == float(noise)


def report_distribution(true: int, n: int, p: Fraction, q: Fraction) -> dict[int, Fraction]:
    """Return how many of n reports support an option that `true` respondents have."""
    distribution = {0: Fraction(1)}
    for chance in [p] * true + [q] * (n - true):
        following: dict[int, Fraction] = {}
        for c, weight in distribution.items():
            following[c] = following.get(c, Fraction(0)) + weight * (1 - chance)
            following[c + 1] = following.get(c + 1, Fraction(0)) + weight * chance
        distribution = following
    return distribution


@pytest.mark.parametrize(("p", "q"), [(0.75, 0.25), (0.6, 0.1)])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.9])
def test_both_variance_estimates_are_unbiased_for_a_sample(
    p: float, q: float, share: float
) -> None:
    """Exact expectation over all tallies of 12 reports, also if V1 and V0 differ."""
    n, chance = 12, q + (p - q) * share
    estimates = [(estimate_of(c, n, p, q), float(binom.pmf(c, n, chance))) for c in range(n + 1)]
    noise = sum(weight * estimate.noise_variance for estimate, weight in estimates)
    sampling = sum(weight * estimate.sampling_variance for estimate, weight in estimates)
    yes, no = p * (1 - p) / (p - q) ** 2, q * (1 - q) / (p - q) ** 2
    assert noise == pytest.approx((share * yes + (1 - share) * no) / n, rel=1e-12)
    assert sampling == pytest.approx(share * (1 - share) / n, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "0.5", "1", "2", "4", "8"])
def test_the_noise_of_randomized_response_is_e_eps_over_its_decrement_squared(epsilon: str) -> None:
    p, q = at(epsilon)
    odds = math.exp(float(epsilon))
    noise = estimate_of(1, 1, p, q).noise_variance
    assert noise == pytest.approx(odds / (odds - 1) ** 2, rel=1e-5)


def test_a_negative_estimate_stays_negative_and_the_clipped_value_has_its_own_name() -> None:
    estimate = estimate_of(200, 1000, 0.75, 0.25)
    assert (estimate.total, estimate.share) == pytest.approx((-100, -0.1), rel=1e-12)
    assert estimate.clipped_share == 0
    above = estimate_of(900, 1000, 0.75, 0.25)
    assert above.total == pytest.approx(1300)
    assert above.clipped_share == 1


def test_the_options_of_a_question_add_up_to_everybody() -> None:
    mechanism = RandomizedResponse.at(Decimal("0.3"))
    estimates = estimates_of(mechanism, Tally.of_cells([17, 4]))
    assert sum(estimate.total for estimate in estimates) == pytest.approx(21)


def test_the_realised_threshold_is_used_and_not_the_ideal_one() -> None:
    coarse = RandomizedResponse(threshold=3_000_000_000)
    estimate = estimates_of(coarse, Tally.of_cells([0, 1]))[1]
    assert estimate.arrays.p == 3_000_000_000 / WORD_RANGE


def test_one_report_is_given_the_largest_possible_sampling_variance() -> None:
    estimate = estimate_of(1, 1, 0.75, 0.25)
    assert estimate.sampling_variance == 0.25
    assert estimate.standard_error == 1


def test_the_standard_error_is_never_below_the_noise_that_is_known_for_certain() -> None:
    unanimous = estimate_of(0, 5, 0.75, 0.25)
    assert unanimous.sampling_variance < 0
    assert unanimous.sampling_error == 0
    assert unanimous.standard_error == unanimous.noise_error > 0


def test_a_share_of_zero_has_an_infinite_design_effect_and_no_effective_sample() -> None:
    estimate = estimate_of(250, 1000, 0.75, 0.25)
    assert estimate.share == 0
    assert estimate.design_effect == math.inf
    assert math.isnan(estimate.effective_n)


def test_an_interval_without_possible_shares_is_flagged() -> None:
    assert estimate_of(100, 1000, 0.75, 0.25).flag
    assert estimate_of(900, 1000, 0.75, 0.25).flag
    assert not estimate_of(240, 1000, 0.75, 0.25).flag


def test_a_published_forced_response_survey_is_one_more_p_and_q() -> None:
    """Blair, Imai and Zhou (2015, JASA 110, 1304-1319): truth 2/3, forced yes 1/6, forced no 1/6.

    In the data published with it, 831 of 2,435 respondents in Nigeria reported yes.
    """
    estimate = estimate_of(831, 2435, p=2 / 3 + 1 / 6, q=1 / 6)
    assert estimate.share == pytest.approx((831 / 2435 - 1 / 6) / (2 / 3))
    assert round(estimate.share, 2) == 0.26
    assert estimate.interval().low < 0.26 < estimate.interval().high


@pytest.mark.parametrize(
    ("reported", "n", "p", "q", "code"),
    [
        (0, 0, 0.75, 0.25, "no_reports"),
        (-1, 5, 0.75, 0.25, "bad_counts"),
        (6, 5, 0.75, 0.25, "bad_counts"),
        (1, 5, 0.5, 0.5, "bad_channel"),
        (1, 5, math.nan, 0.5, "bad_channel"),
        (1, 5, 1.5, 0.5, "bad_channel"),
    ],
)
def test_an_impossible_estimate_is_refused(
    reported: int, n: int, p: float, q: float, code: str
) -> None:
    with pytest.raises(Refusal) as caught:
        estimate_of(reported, n, p, q)
    assert caught.value.code == code


def test_a_tally_with_the_wrong_number_of_cells_is_refused() -> None:
    with pytest.raises(Refusal, match="counts must have 2 cells for rr, got 3"):
        choice_estimates(LN3, Tally.of_cells([1, 2, 3]))
