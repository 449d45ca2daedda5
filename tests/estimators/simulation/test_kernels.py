"""The kernels of bulk simulation, checked exactly: every outcome of their draws."""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from client.core.mechanisms import PrivateSet, SubsetSelection, TwoLevel
from client.core.primitives.words import WORD_RANGE
from estimators.simulation.kernels import (
    KERNELS,
    draws,
    hadamard_response,
    random_threshold,
    randomized_response,
    sampled_checks,
    sliding_window,
    subset_selection,
)
from estimators.simulation.kernels.samplers import answer_dtype, wire
from estimators.simulation.kernels.source import stream
from tests.support.bulk import EVERY_SHAPE, bulk_answers
from tests.support.exact_channel import Channel, answers_of, channel_of

MODULES = [
    hadamard_response,
    subset_selection,
    random_threshold,
    randomized_response,
    sampled_checks,
    sliding_window,
    subset_selection,
    subset_selection,
    draws,
]


@pytest.mark.parametrize(("options", "size"), [(3, 2), (5, 2), (6, 4), (16, 4)])
def test_the_table_turned_to_a_truth_holds_every_set_once_near_ones_first(
    options: int, size: int
) -> None:
    m = SubsetSelection(2**31, options=options, size=size)
    kernel = subset_selection.table_kernel(m)
    every = set(combinations(range(options), size))
    cells = kernel.expand(np.arange(kernel.codes).astype(np.min_scalar_type(kernel.codes - 1)))
    for truth, turned in enumerate(np.split(cells, options, axis=1)):
        sets = [tuple(sorted(column)) for column in turned.T.tolist()]
        assert set(sets) == every
        assert len(sets) == len(every)
        near = comb(options - 1, size - 1)
        assert [truth in members for members in sets] == [True] * near + [False] * (
            len(sets) - near
        )
    counts = stream(1).integers(10**9, size=kernel.codes)
    expected = [sum(counts[(cells == option).any(axis=0)].tolist()) for option in range(options)]
    assert kernel.fold(counts).tolist() == expected


class Grid:
    """A replacement for the draws, with one respondent for every combination of their outcomes.

    The first time, with one respondent, it only learns what is drawn.
    """

    def __init__(self) -> None:
        self.outcomes: list[int] = []
        self.coordinates: list[Any] = []
        self.learning = True
        self.coins_drawn: list[int] = []

    @property
    def respondents(self) -> int:
        return prod(self.outcomes)

    def stop_learning(self) -> None:
        grid = np.indices(self.outcomes).reshape(len(self.outcomes), self.respondents)
        self.coordinates = list(grid)
        self.learning = False

    def coins(self, threshold: int, n: int, source: object) -> Any:
        rows = n if self.learning else n // self.respondents
        return np.concatenate([self._draw(2, coin=True) == 0 for _ in range(rows)])

    def below(self, bound: int, n: int, source: object) -> Any:
        return self._draw(bound).astype(np.min_scalar_type(bound))

    def below_each(self, bounds: Any, n: int, source: object) -> Any:
        narrow = np.min_scalar_type(bounds.max())
        return np.array([self._draw(bound) for bound in bounds.tolist()], dtype=narrow)

    def near_or_far(self, threshold: int, near: int, far: int, n: int, source: object) -> Any:
        keep = self.coins(threshold, n, source)
        return np.where(keep, self._draw(near), near + self._draw(far)).astype(np.uint16)

    def _draw(self, outcomes: int, coin: bool = False) -> Any:
        if not self.learning:
            return self.coordinates.pop(0)
        if coin:
            self.coins_drawn.append(len(self.outcomes))
        self.outcomes.append(outcomes)
        return np.zeros(1, dtype=np.int64)

    def weights(self, threshold: int) -> list[Fraction]:
        """Return the probability of every respondent's outcomes."""
        grid = np.indices(self.outcomes).reshape(len(self.outcomes), self.respondents)
        tails = grid[self.coins_drawn].sum(axis=0).tolist()
        heads, uniform = len(self.coins_drawn), self.respondents // 2 ** len(self.coins_drawn)
        return [
            Fraction(threshold ** (heads - t) * (WORD_RANGE - threshold) ** t)
            / (WORD_RANGE**heads * uniform)
            for t in tails
        ]


@pytest.fixture
def grid(monkeypatch: pytest.MonkeyPatch) -> Grid:
    grid = Grid()
    for module in MODULES:
        for name in ("coins", "below", "below_each", "near_or_far"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(grid, name))
    return grid


def bulk_channel(m: TwoLevel, answer: Any, grid: Grid, kernel: Any) -> Channel:
    """Return the channel of a kernel, from one respondent for every outcome of its draws."""
    narrow = answer_dtype(m)
    kernel.draw(bulk_answers(m, answer, 1).astype(narrow), stream(1))
    grid.stop_learning()
    answers = bulk_answers(m, answer, grid.respondents).astype(narrow)
    cells = kernel.expand(kernel.draw(answers, stream(1))).reshape(m.marks, len(answers))
    channel: Channel = {}
    reports = wire(m, cells.T.astype(np.int64)).tolist()
    for report, weight in zip(reports, grid.weights(m.threshold), strict=True):
        text = json.dumps(report)
        channel[text] = channel.get(text, Fraction(0)) + weight
    return channel


EXACT = [m for m in EVERY_SHAPE if not isinstance(m, PrivateSet)]


@pytest.mark.parametrize(
    ("mechanism", "answer"),
    [pytest.param(m, x, id=f"{m} {x}") for m in EXACT for x in answers_of(m.domain)],
)
def test_the_channel_of_a_kernel_is_exactly_the_published_one(
    mechanism: TwoLevel, answer: Any, grid: Grid
) -> None:
    found = bulk_channel(mechanism, answer, grid, KERNELS[mechanism.name](mechanism))
    assert found == channel_of(mechanism, answer)


@pytest.mark.parametrize("answer", [0, 3, 5])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_channel_of_long_lists_is_exactly_the_published_one(
    size: int, answer: int, grid: Grid
) -> None:
    """On a list short enough to enumerate."""
    m = SubsetSelection.at(Decimal(1), options=6, size=size)
    found = bulk_channel(m, answer, grid, subset_selection.long_list(m))
    assert found == channel_of(m, answer)
