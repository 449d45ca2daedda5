"""Randomize answers in bulk: from answers to the tally cells that their reports add to.

Answers are an array of integers, or a matrix of flags with one column per check-box. Reports are a
matrix of cells with one row per respondent, unordered within a row.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Checks, Choice, Levels
from estimators.simulation.kernels import KERNELS
from estimators.simulation.kernels.kernel import Kernel, count
from estimators.simulation.kernels.source import BLOCK_NUMBERS, Integers, Source

Answers = NDArray[Any]


def randomize(mechanism: TwoLevel, answers: Answers, source: Source) -> Integers:
    """Return the cells of one randomized answer for each answer."""
    kernel = _kernel(mechanism)
    reports = np.empty((len(answers), mechanism.marks), dtype=np.int64)
    start = 0
    for block in _blocks(mechanism, answers):
        cells = kernel.expand(kernel.draw(block, source))
        reports[start : start + len(block)] = cells.reshape(mechanism.marks, len(block)).T
        start += len(block)
    return reports


def draw_tally(mechanism: TwoLevel, answers: Answers, source: Source) -> Integers:
    """Count how many reports add to each cell: those of `randomize`, without keeping them."""
    kernel = _kernel(mechanism)
    counts = np.zeros(kernel.codes, dtype=np.int64)
    for block in _blocks(mechanism, answers):
        counts += count(kernel.draw(block, source), kernel.codes)
    return kernel.fold(counts)


def answer_dtype(mechanism: TwoLevel) -> np.dtype[Any]:
    """Return the narrowest type for an array of answers, which is also the fastest."""
    match mechanism.domain:
        case Checks():
            return np.dtype(np.bool_)
        case Choice(options):
            largest = options - 1
        case Levels() as levels:
            largest = levels.count - 1
    return np.min_scalar_type(largest)


def numbers_per_respondent(mechanism: TwoLevel) -> int:
    """Return the numbers a report takes to draw: its marks, or the answer's boxes if more."""
    boxes = mechanism.domain.options if isinstance(mechanism.domain, Checks) else 1
    return max(boxes, mechanism.marks)


def wire(mechanism: TwoLevel, reports: Integers) -> Integers:
    """Return randomized answers as reports carry them, from their cells: one entry per report."""
    return _kernel(mechanism).wire(np.sort(reports, axis=1))


def _blocks(mechanism: TwoLevel, answers: Answers) -> Iterator[Answers]:
    """Yield the answers in the narrow type, in blocks that fit into the cache."""
    rows = max(1, BLOCK_NUMBERS // numbers_per_respondent(mechanism))
    for start in range(0, len(answers), rows):
        yield answers[start : start + rows].astype(answer_dtype(mechanism), order="C", copy=False)


@lru_cache(maxsize=64)
def _kernel(mechanism: TwoLevel) -> Kernel:
    return KERNELS[mechanism.name](mechanism)
