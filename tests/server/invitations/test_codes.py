"""Codes of personal links: short, hard to guess, and read as people type them."""

from collections import Counter

import pytest

from client.core.groups import BY_CHOICE, BY_LINK, Factor, Groups
from server.invitations.codes import ALPHABET, SYMBOLS, Code, new_code, read_code
from tests.support.surveys import survey_of, yes_no

ASKED = yes_no("a", "1")
FACTORS = [("arm", ("x", "y")), ("age", ("young", "old", "older"))]
PLAIN = survey_of(ASKED)
GROUPED = survey_of(
    ASKED, groups=Groups(BY_LINK, tuple(Factor(id, "Which?", levels) for id, levels in FACTORS))
)
CHOSEN = survey_of(
    ASKED,
    groups=Groups(BY_CHOICE, tuple(Factor(id, "Which?", levels, "-") for id, levels in FACTORS)),
)


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
    assert read_code(typed, PLAIN) == Code("10abc-de01-23456", "")
    assert read_code(f"O2{typed}", GROUPED) == Code("02-10abc-de01-23456", "0-2")


@pytest.mark.parametrize("typed", ["", "10abc-de01-2345", "10abc-de01-234567", "u0abc-de01-23456"])
def test_what_cannot_be_a_code_is_none(typed: str) -> None:
    assert read_code(typed, PLAIN) is None
    assert read_code("\xe9" + new_code()[1:], PLAIN) is None


def test_a_code_names_the_group_that_its_link_sets_and_no_other() -> None:
    for group in GROUPED.ticket_groups:
        found = read_code(new_code(group), GROUPED)
        assert found is not None
        assert found.group == group
        # People choose their group themselves: then it is in no link.
        assert read_code(new_code(group), CHOSEN) is None
    assert read_code(new_code(), GROUPED) is None
    assert read_code(new_code("0-2"), PLAIN) is None
    assert read_code(new_code(), CHOSEN) is not None
