"""What estimating a long list costs: from a tally of 16,384 columns to 10,000 shares."""

import statistics
import time
from decimal import Decimal

import numpy as np

from client.core.mechanisms import HadamardResponse
from estimators.counting.tally import Tally
from estimators.shares.shares import ShareEstimates
from estimators.tables.question import estimate_mechanism

REPORTS = 1_000_000


def measure(options: int, rounds: int) -> float:
    """Return median milliseconds for shares, both errors, intervals and Norm-Sub of a tally."""
    mechanism = HadamardResponse.at(Decimal(1), options=options)
    source = np.random.Generator(np.random.SFC64(1))
    counts = source.multinomial(REPORTS, np.full(mechanism.cells, 1 / mechanism.cells))
    tally = Tally(tuple(counts.tolist()), REPORTS)
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        estimates = estimate_mechanism(mechanism, tally)
        assert isinstance(estimates, ShareEstimates)
        low, _ = estimates.intervals()
        assert (
            len(low) == len(estimates.standard_errors) == len(estimates.possible_shares) == options
        )
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)
