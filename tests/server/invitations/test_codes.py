"""Codes of personal links: short, hard to guess, and read as people type them."""

from collections import Counter

import pytest

from server.invitations.codes import ALPHABET, SYMBOLS, new_code, read_code


def test_a_code_fits_into_sixteen_characters_and_has_seventy_bits() -> None:
    assert len(new_code()) == 16
    assert len(set(ALPHABET)) ** SYMBOLS == 2**70


def test_every_symbol_is_drawn_equally_often_in_every_place() -> None:
    codes = [new_code().replace("-", "") for _ in range(4000)]
    assert len(set(codes)) == len(codes)
    for place in range(SYMBOLS):
        counts = Counter(code[place] for code in codes)
        # 125 each; 5.4 standard deviations around that.
        assert all(65 < counts[symbol] < 185 for symbol in ALPHABET), place


@pytest.mark.parametrize(
    "typed", ["10abc-de01-23456", "lOABC-DEO1-23456", "ioabcdeoi23456", "10abcde-0123456"]
)
def test_look_alikes_capitals_and_hyphens_do_not_matter(typed: str) -> None:
    assert read_code(typed) == "10abc-de01-23456"


@pytest.mark.parametrize("typed", ["", "10abc-de01-2345", "10abc-de01-234567", "u0abc-de01-23456"])
def test_what_cannot_be_a_code_is_none(typed: str) -> None:
    assert read_code(typed) is None
    assert read_code("é" + new_code()[1:]) is None
