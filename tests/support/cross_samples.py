"""Many samples of two randomized questions, for the level of tests and the cover of intervals."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from client.core.mechanisms import MECHANISMS
from estimators.cross.joint import Joint
from estimators.cross.pairs import Pairs
from estimators.mechanisms import analysis_of
from estimators.shares.spread import Array


@dataclass(frozen=True)
class Channel:
    """All reports of a mechanism: their scores, and their chances for every truth."""

    scores: Array
    chances: Array


def channel(name: str, epsilon: str, **shape: int) -> Channel:
    analysis: Any = analysis_of(MECHANISMS[name].at(Decimal(epsilon), **shape))
    reports = analysis.reports()
    return Channel(analysis.report_scores(reports), analysis.report_chances(reports))


def samples(
    first: Channel, second: Channel, truth: Array, n: int, repeats: int, seed: int
) -> Iterator[Pairs]:
    """Yield pairs of reports from n people each, whose answers have the joint shares `truth`."""
    draw = np.random.default_rng(seed)
    chances = first.chances @ truth @ second.chances.T
    shape = chances.shape
    for counts in draw.multinomial(n, chances.ravel() / chances.sum(), size=repeats):
        yield Pairs(counts.reshape(shape).astype(float), first.scores, second.scores)


def exact_joint(truth: Array) -> Joint:
    """Return a table as it is, without any error."""
    rows, columns = truth.shape
    size = rows * columns + rows + columns
    return Joint(1, truth, truth.sum(axis=1), truth.sum(axis=0), np.zeros((size, size)))


def part_of(events: Iterator[bool]) -> float:
    """Return how often the event occurs."""
    return float(np.mean(list(events)))


def covered(ends: tuple[float | None, float | None], value: float) -> bool:
    low, high = ends
    return low is not None and high is not None and low <= value <= high
