"""Helpers for the tests of bulk simulation."""

from decimal import Decimal
from typing import Any

import numpy as np

from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Checks
from tests.client.core.test_exact_channels import SHAPES

EVERY_SHAPE = [mechanism.at(Decimal(1), **shape) for mechanism, shape in SHAPES]


def bulk_answers(mechanism: TwoLevel, answer: Any, n: int) -> Any:
    """Return the same answer n times, as the samplers take it."""
    if isinstance(answer, list):
        assert isinstance(mechanism.domain, Checks)
        return np.tile(np.isin(np.arange(mechanism.domain.options), answer), (n, 1))
    return np.full(n, answer)
