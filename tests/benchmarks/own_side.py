"""Candor's side of the comparison, and what a textbook would do with numpy."""

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms import HadamardResponse, SubsetSelection, Supporting
from estimators.counting.tally import Tally
from estimators.shares.shares import ShareEstimates
from estimators.simulation.kernels.samplers import Answers, draw_tally
from estimators.simulation.kernels.source import Integers, Source, stream
from estimators.tables.question import estimate_mechanism
from estimators.workers.threads import Threads

# Respondents per block; every block has its own stream, so threads change nothing.
BLOCK = 2**20
# Rows of uniform numbers that textbook subset selection holds at once.
ROWS = 2**14
Shares = NDArray[np.float64]


def estimates(
    mechanism: Supporting, answers: Answers, seed: int, jobs: int | None = None
) -> ShareEstimates:
    """Draw every report, by default on all cores, and estimate."""

    def draw(seed: int, first: int) -> Integers:
        return draw_tally(mechanism, answers[first : first + BLOCK], stream(seed, first))

    cells = np.zeros(mechanism.cells, dtype=np.int64)
    for part in Threads(jobs).in_order(draw, seed, range(0, len(answers), BLOCK)):
        cells += part
    found = estimate_mechanism(mechanism, Tally.of_cells(cells.tolist(), mechanism.marks))
    assert isinstance(found, ShareEstimates)
    return found


def textbook_shares(mechanism: Supporting, answers: Answers, source: Source) -> Shares | None:
    """Estimate by the definition, in arrays of doubles on one core; None if no book has it."""
    match mechanism:
        case HadamardResponse():
            return None
        case SubsetSelection(size=1):
            counts = textbook_choice(mechanism, answers, source)
        case SubsetSelection():
            counts = textbook_subsets(mechanism, answers, source)
        case _:
            counts = textbook_yes_no(mechanism, answers, source)
    p, q = float(mechanism.p), float(mechanism.q)
    return (counts / len(answers) - q) / (p - q)


def textbook_yes_no(mechanism: Supporting, answers: Answers, source: Source) -> Integers:
    kept = source.random(len(answers)) < float(mechanism.p)
    return np.bincount(np.where(kept, answers, 1 - answers), minlength=2)


def textbook_choice(m: SubsetSelection, answers: Answers, source: Source) -> Integers:
    kept = source.random(len(answers)) < float(m.p)
    others = source.integers(m.options - 1, size=len(answers))
    others += others >= answers
    return np.bincount(np.where(kept, answers, others), minlength=m.options)


def textbook_subsets(m: SubsetSelection, answers: Answers, source: Source) -> Integers:
    counts = np.zeros(m.options, dtype=np.int64)
    for first in range(0, len(answers), ROWS):
        some = answers[first : first + ROWS]
        keys = source.random((len(some), m.options))
        kept = source.random(len(some)) < float(m.p)
        # The truth comes first or last; of the others, those with the smallest keys.
        keys[np.arange(len(some)), some] = np.where(kept, -1.0, 2.0)
        chosen = np.argpartition(keys, m.size - 1, axis=1)[:, : m.size]
        counts += np.bincount(chosen.ravel(), minlength=m.options)
    return counts
