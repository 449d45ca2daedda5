"""A `cross` question on the results page: a table with the shares of its rows."""

import re
from typing import Any

import pytest

from tests.support.live import Live


@pytest.fixture
def draft() -> dict[str, Any]:
    sides = {
        **{"row_prompt": "Smokes?", "rows": ["Never", "Daily"]},
        **{"column_prompt": "Vapes?", "columns": ["No", "Yes"]},
    }
    cross = {"kind": "cross", "prompt": "Both?", **sides}
    return {
        "slug": "both",
        "title": "Both",
        "delete_on": "2999-12-31",
        "questions": [
            {"id": "plain", "epsilon": "3", **cross},
            {"id": "silent", "epsilon": "1", **cross, "decline": "true"},
        ],
    }


@pytest.fixture
def cards(live: Live) -> dict[str, str]:
    """What the page says of each question after 100 reports."""
    for option, count in enumerate((45, 15, 10, 30)):
        live.fill(count, plain=[option], silent=[4])
    page = live.get("/s/both/results").body.decode()
    found = re.findall(r'<section class="card" aria-labelledby="(\w+)">(.*?)</section>', page, re.S)
    return dict(found)


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def test_rows_have_their_shares_with_intervals_and_no_bars(cards: dict[str, str]) -> None:
    assert 'class="bars"' not in cards["plain"]
    table = words(cards["plain"].partition("<table")[2].partition("</table>")[0])
    # Cells (0.45 - q)/(p - q) = 0.492 and so on, with p = 0.870 and q = 0.043; 0.492/0.621 = 0.792.
    assert "Never 79% 66% to 93% 21% 7% to 34% 62% 50% to 74%" in table
    assert "Daily 18% -1% to 36% 82% 64% to 101% 38% 26% to 50%" in table
    assert "The answers to the two questions are related, at 95% confidence." in words(
        cards["plain"]
    )


def test_a_row_that_may_be_empty_has_no_share(cards: dict[str, str]) -> None:
    said = words(cards["silent"])
    assert "A question mark means that the row may be empty" in said
    assert "100% gave an answer that is in no row and no column." in said


def test_the_figure_to_download_is_the_table(live: Live, cards: dict[str, str]) -> None:
    drawn = live.get("/s/both/figures/plain.svg").body.decode()
    assert "[66, 93]" in drawn
    assert "Vapes?" in drawn
    assert "95% interval" in drawn
