"""What estimating costs: a long list of 10,000 shares, and a distribution of 1,001 levels."""

import statistics
import time
from decimal import Decimal

import numpy as np

from client.authoring.draft.mechanism_choice import square_wave
from client.core.mechanisms import HadamardResponse
from estimators.confidence import CONFIDENCE
from estimators.counting.tally import Tally
from estimators.ordinal.levels import LevelEstimates
from estimators.shares.shares import ShareEstimates
from estimators.tables.level_rows import level_rows
from estimators.tables.question import estimate_mechanism
from tests.support.analyses import level_analysis

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


def measure_levels(rounds: int) -> tuple[float, float]:
    """Return median milliseconds for EM alone, and for all rows of 1,001 levels."""
    mechanism, levels = square_wave(1000, Decimal(1)), np.arange(1001)
    chances = level_analysis(mechanism).forward(np.exp(-levels / 130) / np.exp(-levels / 130).sum())
    counts = np.random.Generator(np.random.SFC64(1)).multinomial(5_000, chances)
    em, rows = [], []
    for _ in range(rounds):
        estimates = estimate_mechanism(mechanism, Tally.of_cells(counts.tolist()))
        assert isinstance(estimates, LevelEstimates)
        start = time.perf_counter()
        estimates.distribution()
        middle = time.perf_counter()
        level_rows(estimates, (), CONFIDENCE, exact=False)
        em.append(1000 * (middle - start))
        rows.append(1000 * (time.perf_counter() - middle))
    return statistics.median(em), statistics.median(rows)
