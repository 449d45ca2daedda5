"""The posterior mean of shares: compared with sums done another way, and with Norm-Sub."""

from decimal import Decimal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from client.core.mechanisms import SampledChecks, SubsetSelection
from client.core.primitives.refusal import Refusal
from estimators.counting.tally import Tally
from estimators.shares.possible import DEGREES, norm_sub, posterior_mean
from tests.support.analyses import check_estimates, choice_estimates

Array = NDArray[np.float64]
ONE = Decimal(1)


def summed_over_quantiles(shares: Array, errors: Array) -> Array:
    """Return the same from many equally likely values of each prior."""
    options, chances = len(shares), (np.arange(10_000) + 0.5) / 10_000
    means, evidence = [], []
    for spread in np.geomspace(errors.min() / 4, options**-0.5, DEGREES):
        # Its mean is 1 / options, its standard deviation the spread.
        values = stats.gamma((options * spread) ** -2.0, scale=options * spread**2).ppf(chances)
        weights = stats.norm.pdf(shares[:, None], values, errors[:, None])
        evidence.append(float(np.prod(weights.mean(axis=1))))
        means.append((weights @ values) / np.maximum(weights.sum(axis=1), 1e-300))
    return norm_sub(np.average(means, axis=0, weights=evidence))


@pytest.mark.parametrize(
    "shares", [(0.5, 0.3, 0.2), (0.9, 0.2, -0.1), (0.36, 0.33, 0.31), (0.45, 0.62, -0.02, -0.05)]
)
def test_the_posterior_mean_is_what_another_way_of_summing_gives(
    shares: tuple[float, ...],
) -> None:
    estimates, errors = np.array(shares), np.linspace(0.05, 0.06, len(shares))
    found = posterior_mean(estimates, errors)
    assert found == pytest.approx(summed_over_quantiles(estimates, errors), abs=0.002)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()


def test_precise_estimates_are_left_as_they_are() -> None:
    shares = np.array([0.6, 0.25, 0.1, 0.05])
    assert posterior_mean(shares, np.full(4, 1e-4)) == pytest.approx(shares, abs=5e-5)


def test_estimates_that_say_nothing_become_even_shares() -> None:
    shares = np.array([0.9, 0.5, 0.1, -0.2, -0.3])
    assert posterior_mean(shares, np.full(5, 50.0)) == pytest.approx([0.2] * 5, abs=0.01)


def test_a_share_far_below_zero_is_none() -> None:
    found = posterior_mean(np.array([-40.0, 0.5, 40.5]), np.full(3, 0.1))
    assert found == pytest.approx([0, 0, 1], abs=1e-6)


@pytest.mark.parametrize(
    ("truth", "part"),
    [
        # Squared errors relative to Norm-Sub's: 0.02, 0.67, 0.5, 0.2 in 100 surveys.
        (np.full(128, 1 / 128), 0.1),
        (1 / np.arange(1, 129) ** 1.1, 0.85),
        (0.5 ** np.arange(128), 0.8),
        (np.eye(128)[0], 0.5),
    ],
    ids=["even", "zipf", "halves", "one"],
)
def test_on_average_the_posterior_mean_is_nearer_to_the_truth_than_norm_sub(
    truth: Array, part: float
) -> None:
    truth = truth / truth.sum()
    source = np.random.Generator(np.random.PCG64(8))
    errors = np.full(128, 0.006)
    squares = []
    for _ in range(30):
        noise = source.standard_normal(128) * errors
        estimates = truth + noise - noise.mean()
        both = np.array([posterior_mean(estimates, errors), norm_sub(estimates)])
        squares.append(((both - truth) ** 2).sum(axis=1))
    found, nearest = np.sum(squares, axis=0)
    assert found < part * nearest


def test_estimates_offer_it_where_shares_sum_to_one() -> None:
    mechanism = SubsetSelection.at(ONE, options=5, size=2)
    estimates = choice_estimates(mechanism, Tally.of_cells([190, 90, 60, 30, 30], 2))
    found = estimates.posterior_mean()
    assert found == pytest.approx(posterior_mean(estimates.shares, estimates.standard_errors))
    boxes = check_estimates(SampledChecks.at(ONE, options=2, asked=1), Tally((5, 5, 5, 5), 20))
    with pytest.raises(Refusal, match="need not sum to one"):
        boxes.posterior_mean()
