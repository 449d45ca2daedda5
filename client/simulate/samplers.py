"""One bulk sampler per mechanism: from answers to the tally cells that their reports add to.

Answers are an array of integers, or a matrix of flags with one column per check-box. Reports are
a matrix of cells with one row per respondent, in no order within a row.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.domain import Checks
from client.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.simulate.source import Flags, Integers, Source, below, coins, subsets

Answers = NDArray[Any]


def randomize(mechanism: TwoLevel, answers: Answers, source: Source) -> Integers:
    """The cells of one randomized answer for each answer."""
    reports = SAMPLERS[mechanism.name](mechanism, answers, source)
    return reports.reshape(len(answers), mechanism.marks)


def count_cells(mechanism: TwoLevel, reports: Integers) -> Integers:
    """How many reports add to each cell."""
    return np.bincount(reports.ravel(), minlength=mechanism.cells)


def numbers_per_respondent(mechanism: TwoLevel) -> int:
    """How much room a step needs for each respondent."""
    boxes = mechanism.domain.options if isinstance(mechanism.domain, Checks) else 1
    return max(boxes, mechanism.cells if mechanism.marks > 1 else 1)


def wire(mechanism: TwoLevel, reports: Integers) -> list[Any]:
    """Randomized answers as reports carry them, from their cells."""
    cells = np.sort(reports, axis=1)
    match mechanism:
        case SampledChecks():
            plain = np.stack([cells // 2, cells % 2], axis=2)
        case RandomThreshold():
            plain = np.concatenate([1 + cells // 2, cells % 2], axis=1)
        case SubsetSelection() | PrivateSet():
            plain = cells
        case _:
            plain = cells[:, 0]
    return list(plain.tolist())


def _randomized_response(m: RandomizedResponse, answers: Integers, source: Source) -> Integers:
    return answers ^ ~coins(m.threshold, len(answers), source)


def _subset_selection(m: SubsetSelection, answers: Integers, source: Source) -> Integers:
    keep = coins(m.threshold, len(answers), source)
    reports = np.empty((len(answers), m.size), dtype=np.int64)
    reports[keep, -1] = answers[keep]
    for rows, others in ((keep, m.size - 1), (~keep, m.size)):
        picked = subsets(m.options - 1, others, int(rows.sum()), source)
        # Numbers from the truth on are those of the options after it.
        reports[rows, :others] = picked + (picked >= answers[rows, np.newaxis])
    return reports


def _hadamard_response(m: HadamardResponse, answers: Integers, source: Source) -> Integers:
    rows = answers + 1
    keep = coins(m.threshold, len(answers), source)
    columns = below(m.columns, len(answers), source)
    odd = np.bitwise_count(columns & rows) % 2 == 1
    return np.where(odd == keep, columns ^ (rows & -rows), columns)


def _sampled_checks(m: SampledChecks, answers: Flags, source: Source) -> Integers:
    boxes = subsets(m.options, m.asked, len(answers), source)
    flips = ~coins(m.threshold, boxes.size, source).reshape(boxes.shape)
    return 2 * boxes + (np.take_along_axis(answers, boxes, axis=1) ^ flips)


def _private_set(m: PrivateSet, answers: Flags, source: Source) -> Integers:
    blanks = m.at_most - answers.sum(axis=1, keepdims=True)
    padded = np.hstack([answers, np.arange(m.at_most) < blanks])
    keep = coins(m.threshold, len(answers), source)
    reports = np.empty((len(answers), m.size), dtype=np.int64)
    waiting = np.flatnonzero(keep)
    while len(waiting):
        reports[waiting] = subsets(m.items, m.size, len(waiting), source)
        meets = np.take_along_axis(padded[waiting], reports[waiting], axis=1).any(axis=1)
        waiting = waiting[~meets]
    # Sorting flags puts the items outside the answer first, in their order.
    outside = np.argsort(padded[~keep], axis=1, kind="stable")
    picked = subsets(m.options, m.size, len(outside), source)
    reports[~keep] = np.take_along_axis(outside, picked, axis=1)
    return reports


def _random_threshold(m: RandomThreshold, answers: Integers, source: Source) -> Integers:
    limits = 1 + below(m.top, len(answers), source)
    bits = (answers >= limits) ^ ~coins(m.threshold, len(answers), source)
    return 2 * (limits - 1) + bits


def _sliding_window(m: SlidingWindow, answers: Integers, source: Source) -> Integers:
    keep = coins(m.threshold, len(answers), source)
    near = answers + below(m.width + 1, len(answers), source)
    outside = below(m.top, len(answers), source)
    return np.where(keep, near, np.where(outside < answers, outside, outside + m.width + 1))


SAMPLERS: dict[str, Callable[[Any, Any, Source], Integers]] = {
    RandomizedResponse.name: _randomized_response,
    SubsetSelection.name: _subset_selection,
    HadamardResponse.name: _hadamard_response,
    SampledChecks.name: _sampled_checks,
    PrivateSet.name: _private_set,
    RandomThreshold.name: _random_threshold,
    SlidingWindow.name: _sliding_window,
}
