"""Unbiasedness, variance and covariance of every share, enumerated from the shipped samplers."""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    SampledChecks,
    SubsetSelection,
    Supporting,
)
from client.core.mechanisms.two_level import option_noise
from estimators.counting.tally import Tally
from estimators.mechanisms.private_set import PrivateSetAnalysis
from tests.support.analyses import (
    check_estimates,
    checks_analysis,
    choice_analysis,
    choice_estimates,
)
from tests.support.enumeration import average, moments
from tests.support.estimate import options_of
from tests.support.exact_channel import answers_of, channel_of

ONE, TWO = Decimal(1), Decimal(2)
CHOICES: list[Supporting] = [
    RandomizedResponse.at(ONE),
    SubsetSelection.at(ONE, options=2, size=1),
    SubsetSelection.at(TWO, options=4, size=1),
    SubsetSelection.at(ONE, options=5, size=2),
    SubsetSelection.at(Decimal("0.5"), options=5, size=3),
    HadamardResponse.at(ONE, options=3),
    HadamardResponse.at(TWO, options=6),
]
SETS = [
    PrivateSet.at(ONE, options=4, at_most=2, size=1),
    PrivateSet.at(ONE, options=4, at_most=2, size=2),
    PrivateSet.at(TWO, options=3, at_most=3, size=2),
    PrivateSet.at(TWO, options=5, at_most=1, size=3),
]
# How many of ten respondents have the first, second, ... answer.
TRUTH = (4, 3, 1, 0, 1, 1)


def name(mechanism: Supporting) -> str:
    return f"{mechanism.name}{tuple(mechanism.shape.values())}"


def truth_of(options: int) -> list[int]:
    return [*TRUTH[: options - 1], 10 - sum(TRUTH[: options - 1])]


@pytest.mark.parametrize("mechanism", CHOICES, ids=name)
def test_every_share_of_a_choice_is_unbiased(mechanism: Supporting) -> None:
    for answer in answers_of(mechanism.domain):
        mean, _ = moments(mechanism, answer)
        assert mean == [Fraction(option == answer) for option in range(len(mean))]


@pytest.mark.parametrize("mechanism", CHOICES, ids=name)
def test_the_noise_covariance_of_a_choice_is_that_of_its_channel(mechanism: Supporting) -> None:
    answers = answers_of(mechanism.domain)
    counts = truth_of(len(answers))
    exact = average(
        [(Fraction(n, 10), moments(mechanism, x)[1]) for x, n in zip(answers, counts, strict=True)]
    )
    shares = np.array(counts) / 10
    found = choice_analysis(mechanism).noise_times(shares, np.eye(len(shares)))
    assert found == pytest.approx(np.array(exact), rel=1e-12, abs=1e-12)
    # On one column the operator is the matrix times that column.
    target = np.arange(len(shares), dtype=float)
    assert choice_analysis(mechanism).noise_times(shares, target) == pytest.approx(
        np.array(exact) @ target
    )


@pytest.mark.parametrize("mechanism", [SubsetSelection.at(ONE, options=3, size=1), CHOICES[5]])
def test_both_covariance_estimates_are_unbiased_over_all_samples_of_two(
    mechanism: Supporting,
) -> None:
    """Every pair of reports of two respondents from a population, with exact weights."""
    shares = np.array([0.5, 0.3, 0.2])
    reports: dict[str, Fraction] = {}
    for answer, share in enumerate((Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))):
        for report, chance in channel_of(mechanism, answer).items():
            reports[report] = reports.get(report, Fraction(0)) + share * chance
    noise, whole = np.zeros((3, 3)), np.zeros((3, 3))
    for one in reports:
        for other in reports:
            weight = float(reports[one] * reports[other])
            tally = Tally.of_reports(mechanism, [json.loads(one), json.loads(other)])
            found = choice_estimates(mechanism, tally).covariance()
            noise += weight * found.noise
            whole += weight * found.population
    expected = choice_analysis(mechanism).noise_times(shares, np.eye(3)) / 2
    truth = (np.diag(shares) - np.outer(shares, shares)) / 2
    assert noise == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert whole == pytest.approx(expected + truth, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("mechanism", SETS, ids=name)
def test_every_share_of_a_private_set_is_unbiased(mechanism: PrivateSet) -> None:
    for answer in answers_of(mechanism.domain):
        mean, _ = moments(mechanism, answer)
        assert mean == [Fraction(option in answer) for option in range(mechanism.options)]


@pytest.mark.parametrize("mechanism", SETS, ids=name)
def test_the_pairs_of_a_private_set_vary_as_its_channel_says(mechanism: PrivateSet) -> None:
    """Two respondents tick the first two boxes, three the first, one none, four the last."""
    count = mechanism.options
    last = [[0, 1][: mechanism.at_most]] * 2 + [[0]] * 3 + [[]] + [[count - 1]] * 4
    exact = average([(Fraction(1, 10), moments(mechanism, answer)[1]) for answer in last])
    ticked = np.array([[box in answer for box in range(count)] for answer in last], dtype=float)
    shares, both = ticked.mean(axis=0), ticked.T @ ticked / 10
    found = checks_analysis(mechanism).noise_of_pairs(shares, both)
    apart = ~np.eye(count, dtype=bool)
    assert found[apart] == pytest.approx(np.array(exact)[apart], rel=1e-10, abs=1e-12)
    whole = checks_analysis(mechanism).spread_of_pairs(shares, both)
    assert (whole - found)[apart] == pytest.approx((both - np.outer(shares, shares))[apart])
    for box in range(count):
        noise = option_noise(float(shares[box]), float(mechanism.p), float(mechanism.q))
        assert noise == pytest.approx(exact[box][box], rel=1e-10)


@pytest.mark.parametrize("mechanism", SETS, ids=name)
def test_a_private_set_holds_a_pair_alike_whether_one_or_both_are_true(
    mechanism: PrivateSet,
) -> None:
    told, silent = PrivateSetAnalysis(mechanism).pair_chances()
    for answer in answers_of(mechanism.domain):
        for u, v in combinations(range(mechanism.options), 2):
            held = sum(
                chance
                for report, chance in channel_of(mechanism, answer).items()
                if {u, v} <= set(json.loads(report))
            )
            assert float(held) == pytest.approx(told if {u, v} & set(answer) else silent)


@pytest.mark.parametrize(("options", "asked"), [(3, 1), (3, 2), (2, 2)])
def test_one_asked_respondent_gives_every_box_without_bias(options: int, asked: int) -> None:
    """A report about box j stands for options / asked respondents (math 3)."""
    mechanism = SampledChecks.at(ONE, options=options, asked=asked)
    for answer in answers_of(mechanism.domain):
        mean = [Fraction(0)] * options
        for report, chance in channel_of(mechanism, answer).items():
            for box, bit in json.loads(report):
                score = Fraction(options, asked) * (bit - mechanism.q) / mechanism.alpha
                mean[box] += chance * score
        assert mean == [Fraction(box in answer) for box in range(options)]


def test_sampled_checks_have_the_noise_of_section_3() -> None:
    """n respondents of whom n_j were asked: 1/n_j [v + (1 - n_j/n)(n/(n-1)) pi(1-pi)]."""
    mechanism = SampledChecks.at(ONE, options=4, asked=1)
    counts = (60, 40, 55, 45, 50, 50, 62, 38)
    estimates = check_estimates(mechanism, Tally(counts, 400))
    v = option_noise(0, float(mechanism.p), float(mechanism.q))
    for option, estimate in enumerate(options_of(estimates)):
        assert (estimate.n, estimate.asked) == (400, 100)
        share = (counts[2 * option + 1] / 100 - estimates.q) / (estimates.p - estimates.q)
        assert estimate.share == pytest.approx(share)
        assert estimate.total == pytest.approx(400 * share)
        # Unbiased: 100/99 lam(1-lam)/alpha^2 estimates v + pi(1-pi).
        lam = counts[2 * option + 1] / 100
        truth = lam * (1 - lam) / (estimates.p - estimates.q) ** 2 * 100 / 99 - v
        assert estimate.noise_variance == pytest.approx((v + 0.75 * truth) / 100)
        assert estimate.sampling_variance == pytest.approx(truth / 400)
    assert mechanism.noise(0.5) == pytest.approx(4 * (v + 0.75 * 0.25))


@pytest.mark.parametrize("ticks", [(0, 0, 1), (1, 1, 0), (1, 0, 1)])
def test_sampled_checks_are_exactly_as_variable_as_promised_among_fixed_respondents(
    ticks: tuple[int, int, int],
) -> None:
    """Three respondents, two of them asked about the box: every choice and every flip."""
    mechanism = SampledChecks.at(ONE, options=2, asked=1)
    p, q = mechanism.p, mechanism.q
    first, second = Fraction(0), Fraction(0)
    for pair in combinations(ticks, 2):
        for bits in ((0, 0), (0, 1), (1, 0), (1, 1)):
            chance = Fraction(1, 3)
            for tick, bit in zip(pair, bits, strict=True):
                chance *= p if tick == bit else q
            share = (Fraction(sum(bits), 2) - q) / (p - q)
            first += chance * share
            second += chance * share**2
    pi = Fraction(sum(ticks), 3)
    v = p * q / (p - q) ** 2
    assert first == pi
    assert second - first**2 == (v + (1 - Fraction(2, 3)) * Fraction(3, 2) * pi * (1 - pi)) / 2


def test_boxes_of_one_report_each_are_independent_and_others_overlap_as_expected() -> None:
    shares, both = np.array([0.4, 0.3]), np.array([[0.4, 0.2], [0.2, 0.3]])
    alone = SampledChecks.at(ONE, options=2, asked=1)
    assert checks_analysis(alone).spread_of_pairs(shares, both)[0, 1] == 0
    # Among fixed respondents, those asked about one box were not asked about the other.
    assert checks_analysis(alone).noise_of_pairs(shares, both)[0, 1] == pytest.approx(-(0.2 - 0.12))
    whole = SampledChecks.at(ONE, options=2, asked=2)
    assert checks_analysis(whole).spread_of_pairs(shares, both)[0, 1] == pytest.approx(0.2 - 0.12)
    assert checks_analysis(whole).noise_of_pairs(shares, both)[0, 1] == pytest.approx(0)
