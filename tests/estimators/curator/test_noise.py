"""A trusted curator's noise: enough of it, by exact calculation, and not more (math 10)."""

import math
from decimal import Decimal
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from client.core.primitives.refusal import Refusal
from estimators.curator.answers import SimulatedWords
from estimators.curator.neighbours import (
    Neighbours,
    Sensitivity,
    counting_queries,
    histogram,
    sum_above,
    ticked_boxes,
)
from estimators.curator.noise import DiscreteLaplace, Gaussian, log_delta

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
ONE = Sensitivity(1, 1)


def laplace_leak(scale: float, moves: tuple[float, ...]) -> float:
    """The largest logarithm of a ratio of densities when the true figures move like this.

    Beyond both of its centres, a figure's ratio no longer changes: three outputs each are enough.
    """
    per_figure = [
        max(
            abs(float(stats.laplace.logpdf(x, 0, scale) - stats.laplace.logpdf(x, move, scale)))
            for x in (-9, move / 2, 9)
        )
        for move in moves
    ]
    return sum(per_figure)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_counting_queries_leak_epsilon_each_unless_the_noise_grows_with_their_number(
    epsilon: float,
) -> None:
    for queries in (1, 2, 10):
        everywhere = (1.0,) * queries
        assert laplace_leak(1 / epsilon, everywhere) == pytest.approx(queries * epsilon)
        enough = counting_queries(queries).absolute / epsilon
        assert laplace_leak(enough, everywhere) == pytest.approx(epsilon)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_a_histogram_needs_twice_the_noise_when_a_person_is_replaced(epsilon: float) -> None:
    joined, replaced = (1.0, 0.0, 0.0), (1.0, -1.0, 0.0)
    assert histogram(ADD).absolute == 1
    assert laplace_leak(1 / epsilon, joined) == pytest.approx(epsilon)
    assert laplace_leak(1 / epsilon, replaced) == pytest.approx(2 * epsilon)
    enough = histogram(REPLACE).absolute / epsilon
    assert laplace_leak(enough, replaced) == pytest.approx(epsilon)


@pytest.mark.parametrize(("boxes", "at_most"), [(1, 1), (4, 1), (4, 2), (4, 3), (4, 4)])
def test_the_sensitivity_of_boxes_is_that_of_the_farthest_neighbours(
    boxes: int, at_most: int
) -> None:
    answers = [np.array(ticks) for ticks in product((0, 1), repeat=boxes) if sum(ticks) <= at_most]
    farthest = {
        ADD: max(abs(a).sum() for a in answers),
        REPLACE: max(abs(a - b).sum() for a in answers for b in answers),
    }
    for neighbours, moved in farthest.items():
        sensitivity = ticked_boxes(boxes, at_most, neighbours)
        assert sensitivity.absolute == moved
        assert sensitivity.euclidean == math.sqrt(moved)


def test_a_sum_moves_by_the_whole_range() -> None:
    assert sum_above(-2, 5) == Sensitivity(7, 7)


def discrete_law(rate: float) -> stats.rv_discrete:
    return stats.dlaplace(rate)


@pytest.mark.parametrize("sensitivity", [1, 2, 100])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
def test_discrete_noise_leaks_exactly_epsilon(epsilon: str, sensitivity: int) -> None:
    """Of neighbours so many steps apart, at every output near them."""
    law = discrete_law(float(DiscreteLaplace(Decimal(epsilon), sensitivity).rate))
    outputs = np.arange(-2 * sensitivity, 3 * sensitivity)
    leaks = np.abs(law.logpmf(outputs) - law.logpmf(outputs - sensitivity))
    assert leaks.max() == pytest.approx(float(epsilon))


@pytest.mark.parametrize("failure", [0.5, 0.05, 1e-6])
@pytest.mark.parametrize("figures", [1, 9, 10_000])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "10"])
def test_the_union_bound_is_the_least_that_holds(
    epsilon: str, figures: int, failure: float
) -> None:
    noise = DiscreteLaplace(Decimal(epsilon), 2)
    bound = noise.largest_error(figures, failure)
    law = discrete_law(float(noise.rate))
    assert noise.noise_variance == pytest.approx(law.var())
    assert figures * 2 * law.sf(bound) <= failure * (1 + 1e-9)
    assert bound == 0 or figures * 2 * law.sf(bound - 1) > failure


def test_10_000_names_are_within_122_or_surely_within_200() -> None:
    """Table 2b: all names at once at epsilon 0.1; and P(|noise| > 200) is about e^-20 each."""
    joined, replaced = (
        DiscreteLaplace(Decimal("0.1"), int(histogram(each).absolute)) for each in (ADD, REPLACE)
    )
    assert joined.largest_error(10_000, 0.05) == 122
    assert joined.largest_error(10_000, 10_000 * math.exp(-20)) == 200
    assert replaced.largest_error(10_000, 0.05) == 244


@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_no_release_is_off_by_more_than_its_bound_as_often_as_stated(confidence: float) -> None:
    """2,000 histograms of 20 cells; one seed in a million would fail."""
    noise, words, cells = DiscreteLaplace(Decimal("0.5"), 2), SimulatedWords(3), 20
    bound = noise.largest_error(cells, 1 - confidence)
    held = sum(max(map(abs, noise.publish([0] * cells, words))) <= bound for _ in range(2_000))
    assert stats.binomtest(held, 2_000, confidence, "less").pvalue > 1e-6
    # And the bound one step lower would not hold so often.
    law = discrete_law(float(noise.rate))
    assert (1 - 2 * law.sf(bound - 1)) ** cells < confidence + 0.12


@pytest.mark.parametrize("bad", [0, -1, 1.5])
def test_a_discrete_sensitivity_that_is_no_step_is_refused(bad: int) -> None:
    with pytest.raises(Refusal, match="sensitivity must be an integer of at least 1"):
        DiscreteLaplace(Decimal(1), bad)


# Table 10: delta, then per epsilon (textbook sigma, exact sigma, ratio), then the largest epsilon
# for which the textbook's sigma is enough, then the true delta at twice that epsilon.
TABLE_10 = [
    ("1e-03", "38.99 17.4 2.24", "3.899 2.575 1.51", "0.9747 0.8231 1.18", "8.51", "2.8e-02"),
    ("1e-05", "49.41 30.75 1.61", "4.941 3.731 1.32", "1.235 1.081 1.14", "9.39", "6.2e-04"),
    ("1e-06", "53.87 36.3 1.48", "5.387 4.225 1.28", "1.347 1.194 1.13", "9.73", "8.2e-05"),
    ("1e-09", "65.45 50.21 1.3", "6.545 5.495 1.19", "1.636 1.488 1.1", "10.54", "1.5e-07"),
]


def textbook_sigma(epsilon: float, delta: float) -> float:
    """What is usually taught, for a sensitivity of 1."""
    return math.sqrt(2 * math.log(2 / delta)) / epsilon


def textbook_delta(epsilon: float, delta: float) -> float:
    """What the textbook's sigma for delta really delivers."""
    return math.exp(log_delta(epsilon, textbook_sigma(epsilon, delta)))


@pytest.mark.parametrize("row", TABLE_10, ids=lambda row: row[0])
def test_table_10_is_reproduced_figure_by_figure(row: tuple[str, ...]) -> None:
    delta = float(row[0])
    for epsilon, cell in zip((0.1, 1.0, 4.0), row[1:4], strict=True):
        textbook, exact = textbook_sigma(epsilon, delta), Gaussian(epsilon, delta, ONE).scale
        assert f"{textbook:.4g} {exact:.4g} {textbook / exact:.3g}" == cell
    valid = optimize.brentq(lambda epsilon: textbook_delta(epsilon, delta) - delta, 1, 20)
    assert f"{valid:.2f}" == row[4]
    assert f"{textbook_delta(2 * valid, delta):.1e}" == row[5]
    # Below that epsilon the textbook is safe throughout, above it never again.
    assert all(textbook_delta(e, delta) < delta for e in np.geomspace(1e-4, 0.999 * valid, 200))
    assert all(textbook_delta(e, delta) > delta for e in np.geomspace(1.001 * valid, 1e4, 200))


def delta_by_quadrature(epsilon: float, sigma: float) -> float:
    """What is lost beyond e^epsilon, as an integral of nothing but positive terms.

    At u above the output where the densities' ratio is e^epsilon, the part 1 - e^(-u/sigma) of the
    density is more than epsilon excuses.
    """
    start = 0.5 / sigma - epsilon * sigma
    peak = max(start, 0.0)
    cuts = sorted(
        {0.0, *(min(k * sigma, peak + 40) for k in (1, 5, 30)), peak, peak + 3, peak + 40}
    )
    return math.fsum(
        integrate.quad(
            lambda u: stats.norm.pdf(u - start) * -math.expm1(-u / sigma),
            *piece,
            epsabs=0,
            epsrel=1e-11,
        )[0]
        for piece in pairwise(cuts)
    )


@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.9])
@pytest.mark.parametrize("epsilon", [1e-12, 1e-4, 1.0, 50.0, 1e6])
def test_gaussian_noise_delivers_exactly_delta_for_tiny_and_huge_epsilons(
    epsilon: float, delta: float
) -> None:
    sigma = Gaussian(epsilon, delta, ONE).scale
    assert delta_by_quadrature(epsilon, sigma) == pytest.approx(delta, rel=1e-6)


def test_gaussian_noise_follows_the_euclidean_sensitivity() -> None:
    one, ten = (Gaussian(1.0, 1e-6, counting_queries(queries)) for queries in (1, 10))
    assert ten.scale == pytest.approx(math.sqrt(10) * one.scale)
    replaced = Gaussian(1.0, 1e-6, histogram(REPLACE))
    assert replaced.scale == pytest.approx(math.sqrt(2) * one.scale)


def test_without_epsilon_gaussian_noise_hides_all_but_delta() -> None:
    """As epsilon falls to 0, delta is the distance of two normal laws: Phi(1/2s) - Phi(-1/2s)."""
    sigma = Gaussian(1e-300, 0.01, ONE).scale
    assert sigma == pytest.approx(0.5 / stats.norm.ppf(0.505), rel=1e-9)


@pytest.mark.parametrize("figures", [1, 100])
def test_gaussian_noise_exceeds_its_union_bound_as_rarely_as_stated(figures: int) -> None:
    gaussian = Gaussian(1.0, 1e-6, ONE)
    bound = gaussian.largest_error(figures, 0.05)
    assert figures * 2 * stats.norm(scale=gaussian.scale).sf(bound) == pytest.approx(0.05)


@pytest.mark.parametrize("epsilon", [0, -1.0, math.nan, math.inf, "1"])
def test_an_epsilon_that_is_no_positive_number_is_refused(epsilon: float) -> None:
    with pytest.raises(Refusal, match="epsilon must be a finite number above 0, got"):
        Gaussian(epsilon, 0.1, ONE)


@pytest.mark.parametrize("delta", [0.0, 1.0, math.nan, -0.1])
def test_a_delta_that_is_no_probability_is_refused(delta: float) -> None:
    with pytest.raises(Refusal, match="delta must be between 0 and 1, both excluded, got"):
        Gaussian(1.0, delta, ONE)


@pytest.mark.parametrize("bad", [0.0, math.nan, math.inf])
def test_a_sensitivity_of_nothing_is_refused(bad: float) -> None:
    with pytest.raises(Refusal, match="absolute must be a finite number above 0"):
        Sensitivity(bad, 1)
