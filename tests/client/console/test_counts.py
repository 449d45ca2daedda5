"""Whole numbers on a command line."""

import click
import pytest

from client.console.counts import COUNT, COUNTS


@pytest.mark.parametrize(
    ("text", "count"),
    [("1000", 1000), ("1e6", 10**6), ("2.5e3", 2500), ("-3", -3), ("1e12", 10**12), ("0", 0)],
)
def test_whole_numbers_may_have_an_exponent(text: str, count: int) -> None:
    assert COUNT.convert(text, None, None) == count


@pytest.mark.parametrize("text", ["1.5", "nan", "inf", "1e99", "", "x", "1e-3", "1,000"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a whole number such as 1000 or 1e6"):
        COUNT.convert(text, None, None)


def test_several_are_parted_by_commas() -> None:
    assert COUNTS.convert("1e3,2000", None, None) == (1000, 2000)
    with pytest.raises(click.BadParameter, match="'' is not a whole number"):
        COUNTS.convert("1e3,", None, None)
