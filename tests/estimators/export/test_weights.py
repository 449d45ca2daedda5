"""What the export's README says about weights: groups weighted by their part of the population."""

import math
from decimal import Decimal

import numpy as np
import pytest

from client.core.mechanisms import RandomizedResponse
from estimators.counting.tally import Tally
from tests.support.analyses import choice_estimates

SURVEYS = 600
YES = RandomizedResponse.at(Decimal(1))
# Part of the population, its share of yes, and how many were asked, out of proportion.
GROUPS = ((0.5, 0.1, 200), (0.3, 0.5, 900), (0.2, 0.3, 400))
TRUTH = sum(part * share for part, share, _ in GROUPS)


def weighted(random: np.random.Generator) -> tuple[float, float]:
    """Return the estimate for the population and its standard error, by the README's rule."""
    value = variance = 0.0
    for part, share, n in GROUPS:
        yes = int(random.binomial(n, float(YES.q + (YES.p - YES.q) * share)))
        estimates = choice_estimates(YES, Tally((n - yes, yes), n))
        value += part * float(estimates.shares[1])
        variance += part**2 * float(estimates.standard_errors[1]) ** 2
    return value, math.sqrt(variance)


def test_weighted_groups_estimate_the_population_with_an_honest_error() -> None:
    random = np.random.default_rng(7)
    values, errors = np.array([weighted(random) for _ in range(SURVEYS)]).T
    spread = float(values.std())
    assert float(values.mean()) == pytest.approx(TRUTH, abs=4 * spread / math.sqrt(SURVEYS))
    # Without weights the large group would count for more than its part.
    asked = sum(n for *_, n in GROUPS)
    plain = sum(share * n for _, share, n in GROUPS) / asked
    assert abs(plain - TRUTH) > 10 * spread / math.sqrt(SURVEYS)
    covered = np.abs(values - TRUTH) < 1.96 * errors
    assert float(covered.mean()) == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / SURVEYS))
