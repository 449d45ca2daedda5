"""Tests of independence keep their level, and intervals cover; small versions of the benchmark."""

import numpy as np
import pytest

from tests.benchmarks.cross_cover import COVERS, LEVELS, THREE, mean_v

REPEATS = 400
# Four standard errors of a part of 0.05 among so many: a false alarm in 16,000 samples.
SLACK = 4 * (0.05 * 0.95 / REPEATS) ** 0.5


@pytest.mark.parametrize("name", LEVELS)
def test_independent_answers_are_rejected_as_often_as_promised(name: str) -> None:
    assert LEVELS[name](REPEATS) == pytest.approx(0.05, abs=SLACK)


@pytest.mark.parametrize("name", COVERS)
def test_intervals_hold_the_truth_as_often_as_promised(name: str) -> None:
    assert COVERS[name](REPEATS) == pytest.approx(0.95, abs=SLACK)


def test_v_is_not_inflated_by_noise() -> None:
    independent = np.full((3, 3), 1 / 9)
    # Without the correction it would be 0.097 and 0.030.
    assert mean_v(independent, 1_000, 200) == pytest.approx(0.032, abs=0.008)
    assert mean_v(independent, 10_000, 200) == pytest.approx(0.010, abs=0.003)
    assert mean_v(THREE, 1_000, 200) == pytest.approx(0.4906, abs=0.02)
