"""Bulk draws look at few bits, and decide exactly as whole words would."""

from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest

from estimators.simulation.kernels import draws
from estimators.simulation.kernels.kernel import MANY, count
from estimators.simulation.kernels.source import stream

# Digits at the ends of a byte, equal digits, low parts of zero, and the last threshold.
AWKWARD_THRESHOLDS = [
    *(1, 255, 256, 257, 2**16, 2**24 - 1, 2**24, 2**24 + 1, 2**31, 2**32 - 2**24, 2**32 - 1),
    *(0x01010101, 0x7F00FF00, 0x80FF00FF, 0xFEFFFFFF, 0xBB26A7AE, 0xBB260000, 0xBB0000AE),
]


class Tape:
    """A replacement for the generator that hands out these words, in the width asked for."""

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
    """All words whose digits are the threshold's, one less, one more, or at the ends."""
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


# Many and few options, one near number or several, no bit wasted.
NEAR_AND_FAR = [
    (0x27466D2D, 1, 15),
    (0x055D50C4, 1, 127),
    (0x79B1A3B9, 455, 1365),
    (0xFFEF3A12, 1, 2),
    (0x80000000, 3, 5),
    (0xBB26FFFF, 1, 1),
    (0x00070000, 7, 3),
]


@pytest.mark.parametrize(("threshold", "near", "far"), NEAR_AND_FAR)
def test_a_word_for_two_draws_gives_each_level_its_chance_and_each_number_an_equal_part(
    threshold: int, near: int, far: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All words at once. Those left over draw their number in the ordinary way, here the first.

    That is near for `first` words, and for one more if its tie with the threshold is won, which
    has the chance rest / 2^16: together threshold / 2^32.
    """
    first, rest = divmod(threshold, 2**16)
    near_each, near_left = divmod(first, near)
    far_each, far_left = divmod(2**16 - 1 - first, far)
    asked = []

    def lowest(bound: int, n: int, source: Any) -> Any:
        asked.append((bound, n))
        return np.zeros(n, dtype=np.uint8)

    monkeypatch.setattr(draws, "below", lowest)
    for word, won in [(rest << 16, False), *[((rest << 16) - 1, True)] * (rest > 0)]:
        tape = Tape(np.arange(2**16, dtype=np.uint16), np.array([word], dtype=np.uint32))
        numbers = draws.near_or_far(threshold, near, far, 2**16, tape)  # type: ignore[arg-type]
        counts = np.full(near + far, far_each)
        counts[:near] = near_each
        counts[0] += near_left + won
        counts[near] += far_left + (not won)
        assert np.bincount(numbers).tolist() == counts.tolist()
        assert asked == [(bound, near_left + far_left + 1) for bound in (near, far)]
        asked.clear()


@pytest.mark.parametrize(
    ("threshold", "near", "far"), [(2**32 - 1, 1, 2), (2**15, 1, 2), (2**31, 1, 9000)]
)
def test_two_draws_are_made_where_one_word_would_leave_too_much_open(
    threshold: int, near: int, far: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = np.arange(300) % 3 == 0
    drawn: dict[int, Any] = {near: np.zeros(300, dtype=np.uint8), far: np.arange(300) % far}
    monkeypatch.setattr(draws, "coins", lambda asked, n, source: heads & (asked == threshold))
    monkeypatch.setattr(draws, "below", lambda bound, n, source: drawn[bound])
    numbers = draws.near_or_far(threshold, near, far, 300, stream(1))
    assert numbers.tolist() == np.where(heads, drawn[near], near + drawn[far]).tolist()


@pytest.mark.parametrize("bound", [2, 3, 15, 16, 31, 100, 127, 255, 256, 257, 1365, 20_000, 65_535])
def test_every_number_below_a_bound_stands_for_equally_many_words(bound: int) -> None:
    """All words of either width at once; those left over are drawn again, as zeros."""
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
    monkeypatch.setattr(draws, "below_each", lambda asked, n, source: outcomes.copy())
    columns = draws.subsets(size, chosen, outcomes.shape[1], stream(1)).T.tolist()
    found = [tuple(sorted(column)) for column in columns]
    for subset in combinations(range(size), chosen):
        assert found.count(subset) == len(columns) // comb(size, chosen)


@pytest.mark.parametrize("n", [0, 1, 2, 999, MANY, MANY + 1])
def test_codes_of_every_width_are_counted(n: int) -> None:
    codes = stream(5).integers(256, size=n)
    expected = np.bincount(codes, minlength=256).tolist()
    assert count(codes.astype(np.uint8), 256).tolist() == expected
    assert count(codes.astype(np.uint16), 256).tolist() == expected
    for size in (7, 9, 16, 17):
        few = np.bincount(codes % size, minlength=size).tolist()
        assert count((codes % size).astype(np.uint8), size).tolist() == few
        assert count((codes % size).astype(np.uint8), size + 2).tolist() == [*few, 0, 0]
    flags = codes % 3 == 0
    assert count(flags, 2).tolist() == [n - int(flags.sum()), int(flags.sum())]
