"""Cramer's V has no part that noise alone would add; its coverage is in test_coverage.py."""

import numpy as np
import pytest

from tests.benchmarks.coverage.cross import THREE, mean_v


def test_v_is_not_inflated_by_noise() -> None:
    independent = np.full((3, 3), 1 / 9)
    # Without the correction it would be 0.097 and 0.030.
    assert mean_v(independent, 1_000, 200) == pytest.approx(0.032, abs=0.008)
    assert mean_v(independent, 10_000, 200) == pytest.approx(0.010, abs=0.003)
    assert mean_v(THREE, 1_000, 200) == pytest.approx(0.4906, abs=0.02)
