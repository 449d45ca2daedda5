"""Margins in words: points for shares, the question's unit for means, and no exponents."""

import pytest

from estimators.planning.wording import margin_words


@pytest.mark.parametrize(
    ("margin", "unit", "words"),
    [
        (0.0474, None, "± 4.74 percentage points"),
        (9.994, None, "± 999 percentage points"),
        (9.996, None, "± 1,000 percentage points"),
        (0.4514, "nights", "± 0.451 nights"),
        (1234.5, "euros", "± 1,234 euros"),
        (3.0, "", "± 3"),
    ],
)
def test_a_margin_has_three_digits_that_count(margin: float, unit: str | None, words: str) -> None:
    assert margin_words(margin, unit).replace("\N{NO-BREAK SPACE}", " ") == words
