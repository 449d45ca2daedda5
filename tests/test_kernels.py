"""The tricks of bulk simulation, checked exactly: every outcome of their draws, and every edge."""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from client.mechanisms import PrivateSet, SubsetSelection, TwoLevel
from client.simulate.kernels import (
    draws,
    hadamard_response,
    random_threshold,
    randomized_response,
    sampled_checks,
    sliding_window,
    subset_selection,
    subset_table,
    subsets,
)
from client.simulate.kernels.counting import PAIRED, count
from client.simulate.samplers import KERNELS, answer_dtype, wire
from client.simulate.source import stream
from client.words import WORD_RANGE
from tests.bulk import EVERY_SHAPE, bulk_answers
from tests.exact_channel import Channel, answers_of, channel_of

# Digits at the ends of a byte, equal digits, low parts that are zero, and the last threshold.
AWKWARD_THRESHOLDS = [
    *(1, 255, 256, 257, 2**16, 2**24 - 1, 2**24, 2**24 + 1, 2**31, 2**32 - 2**24, 2**32 - 1),
    *(0x01010101, 0x7F00FF00, 0x80FF00FF, 0xFEFFFFFF, 0xBB26A7AE, 0xBB260000, 0xBB0000AE),
]
MODULES = [
    hadamard_response,
    random_threshold,
    randomized_response,
    sampled_checks,
    sliding_window,
    subset_selection,
    subset_table,
    subsets,
]


class Tape:
    """Stands in for the generator: hands out these words, as the narrow ones that are asked."""

    def __init__(self, *pieces: Any) -> None:
        self.pieces = list(pieces)
        self.bit_generator = self

    def random_raw(self, count: int) -> Any:
        piece = np.asarray(self.pieces.pop(0))
        whole = np.zeros(8 * count, dtype=np.uint8)
        whole[: piece.nbytes] = piece.view(np.uint8)
        return whole.view(np.uint64)


@pytest.mark.parametrize("threshold", AWKWARD_THRESHOLDS)
def test_a_coin_that_looks_at_bytes_decides_as_the_whole_word_would(threshold: int) -> None:
    """On all words whose digits are the threshold's, one less, one more, or at the ends."""
    choices = [
        {0, 255, *(d for d in (own - 1, own, own + 1) if 0 <= d <= 255)}
        for own in threshold.to_bytes(4)
    ]
    words = [int.from_bytes(bytes(digits)) for digits in product(*choices)]
    firsts = np.array([word >> 24 for word in words], dtype=np.uint8)
    tied = [word % 2**24 for word in words if word >> 24 == threshold >> 24]
    for surplus in (0, 255):
        rests = np.array([rest << 8 | surplus for rest in tied], dtype=np.uint32)
        heads = draws.coins(threshold, len(words), Tape(firsts, rests))  # type: ignore[arg-type]
        assert heads.tolist() == [word < threshold for word in words]


@pytest.mark.parametrize("bound", [2, 3, 15, 16, 31, 100, 127, 255, 256, 257, 1365, 20_000, 65_535])
def test_every_number_below_a_bound_stands_for_equally_many_words(bound: int) -> None:
    """All words of either width at once; those that are left over are drawn again, as zeros."""
    narrow = bound <= 255 and 256 % bound <= draws.WASTED_BYTES
    words = np.arange(256 if narrow else 2**16).astype(np.uint8 if narrow else np.uint16)
    tape = Tape(words, np.zeros(0, dtype=np.uint16))
    numbers = draws.below(bound, len(words), tape)  # type: ignore[arg-type]
    share, left_over = divmod(len(words), bound)
    counts = np.bincount(numbers, minlength=bound)
    assert counts.tolist() == [share + left_over, *[share] * (bound - 1)]
    assert len(tape.pieces) == (0 if left_over else 1)


def test_rows_with_different_bounds_are_each_uniform_and_drawn_again_by_their_own_bound() -> None:
    bounds = np.array([100, 7, 60_000])
    words = np.tile(np.arange(2**16, dtype=np.uint16), 3)
    left_over = (2**16 % bounds).tolist()
    # The first row's second words are left over too; then it gets 5, the others 0 and the last.
    share = 2**32 // bounds
    again = [2**32 - 1] * 36 + [0] * 2 + [int(share[2]) * 60_000 - 1] * 5536
    third = [5 * int(share[0])] * 36
    tape = Tape(words, np.array(again, dtype=np.uint32), np.array(third, dtype=np.uint32))
    assert left_over == [36, 2, 5536]
    numbers = draws.below_each(bounds, 2**16, tape)  # type: ignore[arg-type]
    for row, bound, extra in zip(numbers, bounds.tolist(), [5, 0, 59_999], strict=True):
        counts = np.bincount(row, minlength=bound)
        counts[extra] -= 2**16 % bound
        assert set(counts.tolist()) == {2**16 // bound}


def test_one_number_needs_no_word() -> None:
    assert draws.below(1, 3, Tape()).tolist() == [0, 0, 0]  # type: ignore[arg-type]


def test_select_takes_the_one_or_the_other_whatever_wraps_around() -> None:
    chosen, other = (side.ravel().astype(np.uint8) for side in np.indices((256, 256)))
    flags = np.arange(2**16) % 3 == 0
    assert (draws.select(flags, chosen, other) == np.where(flags, chosen, other)).all()


@pytest.mark.parametrize(("size", "chosen"), [(4, 2), (5, 5), (1, 1), (6, 1), (6, 3), (7, 4)])
def test_every_subset_comes_from_equally_many_draws(
    size: int, chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds = range(size - chosen + 1, size + 1)
    outcomes = np.array(list(product(*map(range, bounds))), dtype=np.uint8).T
    monkeypatch.setattr(subsets, "below_each", lambda asked, n, source: outcomes.copy())
    columns = subsets.subsets(size, chosen, outcomes.shape[1], stream(1)).T.tolist()
    found = [tuple(sorted(column)) for column in columns]
    for subset in combinations(range(size), chosen):
        assert found.count(subset) == len(columns) // comb(size, chosen)


@pytest.mark.parametrize(("options", "size"), [(2, 1), (5, 1), (5, 2), (6, 4), (16, 4)])
def test_the_table_turned_to_a_truth_holds_every_set_once_near_ones_first(
    options: int, size: int
) -> None:
    m = SubsetSelection(2**31, options=options, size=size)
    kernel = KERNELS["ss"](m)
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


@pytest.mark.parametrize("n", [0, 1, 2, 999, PAIRED, PAIRED + 1])
def test_codes_of_every_width_are_counted(n: int) -> None:
    codes = stream(5).integers(256, size=n)
    expected = np.bincount(codes, minlength=256).tolist()
    assert count(codes.astype(np.uint8), 256).tolist() == expected
    assert count(codes.astype(np.uint16), 256).tolist() == expected
    few = codes % 7
    assert count(few.astype(np.uint8), 9).tolist() == np.bincount(few, minlength=9).tolist()
    flags = codes % 3 == 0
    assert count(flags, 2).tolist() == [n - int(flags.sum()), int(flags.sum())]


class Grid:
    """Stands in for the draws: as many respondents as draws have outcomes together, each with
    another outcome. The first time, with one respondent, it only learns what is drawn.
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

    def _draw(self, outcomes: int, coin: bool = False) -> Any:
        if not self.learning:
            return self.coordinates.pop(0)
        if coin:
            self.coins_drawn.append(len(self.outcomes))
        self.outcomes.append(outcomes)
        return np.zeros(1, dtype=np.int64)

    def weights(self, threshold: int) -> list[Fraction]:
        """The probability of every respondent's outcomes."""
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
        for name in ("coins", "below", "below_each"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(grid, name))
    return grid


def bulk_channel(m: TwoLevel, answer: Any, grid: Grid, kernel: Any) -> Channel:
    """The channel of a kernel, from one respondent for every outcome of its draws."""
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
    """On a list that is short enough to enumerate."""
    m = SubsetSelection.at(Decimal(1), options=6, size=size)
    found = bulk_channel(m, answer, grid, subset_selection.long_list(m))
    assert found == channel_of(m, answer)
