"""Possible shares: compared with brute force, and with the conditions of a maximum."""

from decimal import Decimal
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize

from client.core.mechanisms import HadamardResponse, RandomizedResponse, SubsetSelection
from estimators.counting.tally import Tally
from estimators.shares.possible import isotonic, likeliest_of_one, norm_sub
from tests.support.analyses import choice_estimates

Array = NDArray[np.float64]
ONE = Decimal(1)


def grid(options: int, parts: int) -> Array:
    """Return every distribution over the options in steps of 1/parts."""
    points = product(range(parts + 1), repeat=options)
    return np.array([point for point in points if sum(point) == parts]) / parts


@pytest.mark.parametrize(
    "raw", [(0.5, 0.3, 0.2), (0.9, 0.4, -0.3), (-0.2, 1.5, -0.3), (0.4, -0.1, 0.7)]
)
def test_norm_sub_finds_the_nearest_possible_shares(raw: tuple[float, ...]) -> None:
    shares = np.array(raw)
    found = norm_sub(shares)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()
    nearest = np.linalg.norm(grid(3, 100) - shares, axis=1).min()
    assert np.linalg.norm(found - shares) <= nearest + 1e-12
    kept = found > 0
    # The same number is subtracted from every share that stays above 0.
    assert np.ptp((shares - found)[kept]) == pytest.approx(0, abs=1e-12)


def test_norm_sub_leaves_possible_shares_as_they_are() -> None:
    assert norm_sub(np.array([0.7, 0.0, 0.3])) == pytest.approx([0.7, 0, 0.3])


def log_likelihood(channel: Array, counts: Array, shares: Array) -> Array:
    with np.errstate(divide="ignore"):
        result: Array = np.log(channel @ shares.T).T @ counts
    return result


@pytest.mark.parametrize("counts", [(50, 30, 20), (90, 5, 5), (100, 0, 0), (40, 59, 1)])
def test_the_likeliest_shares_of_one_choice_beat_every_other(counts: tuple[int, ...]) -> None:
    mechanism = SubsetSelection.at(ONE, options=3, size=1)
    p, q = float(mechanism.p), float(mechanism.q)
    channel = q + (p - q) * np.eye(3)
    observed = np.array(counts, dtype=np.float64)
    found = likeliest_of_one(observed, p, q)
    assert found.sum() == pytest.approx(1)
    best = log_likelihood(channel, observed, grid(3, 200)).max()
    assert log_likelihood(channel, observed, found[None, :])[0] >= best - 1e-9
    estimates = choice_estimates(mechanism, Tally.of_cells(counts))
    assert estimates.maximum_likelihood() == pytest.approx(found)


def test_the_likeliest_shares_of_yes_and_no_are_the_clipped_ones() -> None:
    estimates = choice_estimates(RandomizedResponse.at(ONE), Tally.of_cells([900, 100]))
    assert estimates.maximum_likelihood() == pytest.approx([1, 0])
    p, q = estimates.p, estimates.q
    assert likeliest_of_one(np.array([900.0, 100.0]), p, q) == pytest.approx([1, 0])


def hadamard_channel(mechanism: HadamardResponse) -> Array:
    """P(column | option): (1 + alpha H)/K, from the definition of H."""
    alpha = float(2 * mechanism.alpha)
    signs = [
        [(-1) ** (column & (option + 1)).bit_count() for option in range(mechanism.options)]
        for column in range(mechanism.columns)
    ]
    result: Array = (1 + alpha * np.array(signs)) / mechanism.columns
    return result


@pytest.mark.parametrize(("epsilon", "options"), [("1", 3), ("2", 6), ("0.3", 5), ("4", 12)])
def test_the_likeliest_shares_of_hadamard_response_satisfy_the_conditions_of_a_maximum(
    epsilon: str, options: int
) -> None:
    """The gradient is 1 where a share is above 0 and at most 1 elsewhere; it is concave."""
    mechanism = HadamardResponse.at(Decimal(epsilon), options=options)
    channel = hadamard_channel(mechanism)
    truth = np.array([0.6, 0.4] + [0.0] * (options - 2))
    source = np.random.Generator(np.random.PCG64(5))
    counts = source.multinomial(3000, channel @ truth)
    found = choice_estimates(mechanism, Tally.of_cells(counts.tolist())).maximum_likelihood()
    gradient = channel.T @ (counts / 3000 / (channel @ found))
    assert found.sum() == pytest.approx(1)
    assert gradient.max() == pytest.approx(1, abs=1e-4)
    assert gradient[found > 1e-3] == pytest.approx(1, abs=1e-4)


def test_the_likeliest_shares_of_hadamard_response_are_those_of_a_general_optimiser() -> None:
    mechanism = HadamardResponse.at(ONE, options=3)
    counts = np.array([40.0, 10, 30, 20])
    channel = hadamard_channel(mechanism)
    best = optimize.minimize(
        lambda shares: -float(counts @ np.log(channel @ shares)),
        np.full(3, 1 / 3),
        bounds=[(0, 1)] * 3,
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14},
    )
    found = choice_estimates(mechanism, Tally.of_cells([40, 10, 30, 20])).maximum_likelihood()
    assert found == pytest.approx(best.x, abs=1e-4)


def test_subset_selection_has_no_likelihood_and_takes_norm_sub() -> None:
    mechanism = SubsetSelection.at(ONE, options=5, size=2)
    found = choice_estimates(mechanism, Tally.of_cells([190, 90, 60, 30, 30], 2))
    assert (found.shares < 0).any()
    assert found.maximum_likelihood() == pytest.approx(found.norm_sub())


def test_isotonic_values_are_the_nearest_that_never_fall() -> None:
    pooled = isotonic(np.array([0.1, 0.4, 0.2, 0.9]), np.ones(4))
    assert pooled == pytest.approx([0.1, 0.3, 0.3, 0.9])
    weighted = isotonic(np.array([0.4, 0.2]), np.array([3.0, 1.0]))
    assert weighted == pytest.approx([0.35, 0.35])
    rising = np.array([0.1, 0.2, 0.3])
    assert isotonic(rising, np.ones(3)) == pytest.approx(rising)


def test_isotonic_values_beat_every_rising_sequence_on_a_grid() -> None:
    values, weights = np.array([0.6, 0.2, 0.5, 0.1]), np.array([1.0, 2.0, 1.0, 3.0])
    found = isotonic(values, weights)
    steps = np.linspace(0, 1, 21)
    rising = np.array([s for s in product(steps, repeat=4) if list(s) == sorted(s)])
    distances = ((rising - values) ** 2) @ weights
    assert ((found - values) ** 2) @ weights <= distances.min() + 1e-12
