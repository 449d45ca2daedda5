"""Possible shares: compared with brute force."""

from decimal import Decimal
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from client.core.mechanisms import RandomizedResponse, SampledChecks, SubsetSelection
from estimators.counting.tally import Tally
from estimators.shares.possible import isotonic, norm_sub
from estimators.shares.shares import ShareEstimates
from estimators.tables.question import estimate_mechanism
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


def test_possible_shares_of_one_choice_sum_to_one_and_boxes_are_cut_one_by_one() -> None:
    subsets = SubsetSelection.at(ONE, options=5, size=2)
    found = choice_estimates(subsets, Tally.of_cells([190, 90, 60, 30, 30], 2))
    assert (found.shares < 0).any()
    assert found.possible_shares == pytest.approx(norm_sub(found.shares))
    answers = choice_estimates(RandomizedResponse.at(ONE), Tally.of_cells([900, 100]))
    assert answers.possible_shares == pytest.approx([1, 0])
    boxes = estimate_mechanism(SampledChecks.at(ONE, options=2, asked=1), Tally((9, 1, 1, 9), 20))
    assert isinstance(boxes, ShareEstimates)
    assert boxes.shares[0] < 0
    assert boxes.shares[1] > 1
    assert boxes.possible_shares == pytest.approx([0, 1])


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
