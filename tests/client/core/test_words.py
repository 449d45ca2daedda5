"""Words and the exact primitives on them: uniform by counting every case, not by sampling."""

from collections import Counter
from itertools import product
from math import comb

import pytest

from client.core.primitives import words
from client.core.primitives.words import WORD_RANGE, SecureWords, below, bern, secure_hex, subset
from tests.vectors.tapes import Tape


def test_a_tape_hands_out_its_words_in_order_and_ends() -> None:
    tape = Tape.from_hex("00000001ffffffff")
    assert [tape.word(), tape.word()] == [1, WORD_RANGE - 1]
    assert tape.used == 2
    with pytest.raises(IndexError, match="one more was asked for"):
        tape.word()


@pytest.mark.parametrize("threshold", [1, 2**31, 3139872686, WORD_RANGE - 1])
def test_bern_is_true_for_exactly_the_words_below_the_threshold(threshold: int) -> None:
    assert bern(Tape([0]), threshold)
    assert bern(Tape([threshold - 1]), threshold)
    assert not bern(Tape([threshold]), threshold)
    assert not bern(Tape([WORD_RANGE - 1]), threshold)


@pytest.mark.parametrize("bound", [2, 3, 5, 6, 7, 10, 12])
def test_below_is_exactly_uniform(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the same code on all words of 6 bits: each result comes up equally often."""
    monkeypatch.setattr(words, "WORD_RANGE", 64)
    results: Counter[int] = Counter()
    for word in range(64):
        try:
            results[below(Tape([word]), bound)] += 1
        except IndexError:
            results[-1] += 1
    drawn_again = results.pop(-1, 0)
    assert drawn_again == 64 % bound
    assert results == dict.fromkeys(range(bound), 64 // bound)


@pytest.mark.parametrize("bound", [3, 7, 1000, 2**31 + 1, WORD_RANGE - 1])
def test_below_draws_again_past_the_last_whole_multiple(bound: int) -> None:
    limit = WORD_RANGE - WORD_RANGE % bound
    tape = Tape([limit, WORD_RANGE - 1, limit - 1])
    assert below(tape, bound) == bound - 1
    assert tape.used == 3


def test_below_one_needs_no_word() -> None:
    assert below(Tape([]), 1) == 0


def test_below_the_whole_range_is_the_word_itself() -> None:
    assert below(Tape([WORD_RANGE - 1]), WORD_RANGE) == WORD_RANGE - 1


@pytest.mark.parametrize("bound", [0, -1, WORD_RANGE + 1])
def test_below_an_impossible_bound_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match="bound must be between 1 and"):
        below(Tape([0]), bound)


@pytest.mark.parametrize(("size", "chosen"), [(4, 2), (5, 1), (5, 3), (5, 4), (3, 3), (6, 2)])
def test_subset_is_exactly_uniform(size: int, chosen: int) -> None:
    """Every tape of small residues is run, so each subset must come up equally often."""
    residues = [range(j + 1) for j in range(size - chosen, size)]
    found: Counter[tuple[int, ...]] = Counter()
    for draw in product(*residues):
        # The first index needs no word if it can only be 0.
        tape = Tape([r for j, r in zip(residues, draw, strict=True) if len(j) > 1])
        found[tuple(subset(tape, size, chosen))] += 1
    assert len(found) == comb(size, chosen)
    assert len(set(found.values())) == 1


def test_subset_is_sorted_and_draws_in_the_agreed_order() -> None:
    """Floyd: j = 3, 4 with draws 1, then 1 again, which is taken already, so 4 it is."""
    tape = Tape([1, 1])
    assert subset(tape, 5, 2) == [1, 4]
    assert tape.used == 2


def test_the_whole_and_the_empty_subset() -> None:
    assert subset(Tape([]), 5, 0) == []
    assert subset(Tape([0, 0, 0, 0]), 5, 5) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("size", "chosen"), [(3, 4), (3, -1)])
def test_an_impossible_subset_is_an_error(size: int, chosen: int) -> None:
    with pytest.raises(ValueError, match="chosen must be between 0 and 3"):
        subset(Tape([]), size, chosen)


def test_secure_words_are_32_bits_and_do_not_repeat() -> None:
    drawn = [SecureWords().word() for _ in range(64)]
    assert all(0 <= word < WORD_RANGE for word in drawn)
    # 64 equal pairs among 2^32 would happen once in a million runs.
    assert len(set(drawn)) > 60


def test_a_random_name_has_eight_digits_per_word() -> None:
    assert len(secure_hex(4)) == 32
    assert set(secure_hex(4)) <= set("0123456789abcdef")
    assert secure_hex(4) != secure_hex(4)
