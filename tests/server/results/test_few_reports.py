"""Few reports on the results page: it says how little they say, of every kind of question."""

import re
from typing import Any

import pytest

from tests.support.live import Live


@pytest.fixture
def draft() -> dict[str, Any]:
    drinks = {"prompt": "How many?", "kind": "number", "lo": "0", "hi": "12", "step": "0.5"}
    return {
        "slug": "few",
        "title": "Few",
        "delete_on": "2999-12-31",
        "questions": [
            {"id": "vague", **drinks, "epsilon": "0.5"},
            {"id": "clear", **drinks, "epsilon": "2.5", "mechanism": "rt"},
            {"id": "faint", "prompt": "Ever?", "epsilon": "0.05"},
            {
                "id": "uneven",
                "prompt": "Which?",
                "epsilon": "0.8",
                "kind": "one_of",
                "options": ["a", "b", "c"],
            },
        ],
    }


@pytest.fixture
def cards(live: Live) -> dict[str, str]:
    """What the page says of each question after 50 reports, the fewest that are published."""
    for at, option in enumerate([0] * 12 + [1] * 19 + [2] * 19):
        bit = at % 2
        live.fill(1, vague=[5, bit], clear=[5, bit], faint=bit, uneven=[option])
    page = live.get("/s/few/results").body.decode()
    found = re.findall(r'<section class="card" aria-labelledby="(\w+)">(.*?)</section>', page, re.S)
    return {id: re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text)) for id, text in found}


def test_a_mean_that_says_little_is_called_so_with_its_range(cards: dict[str, str]) -> None:
    assert (
        "There are too few answers to say much: the interval of the mean is wider than half of the "
        "possible range, and the estimate may be outside 0 to 12."
    ) in cards["vague"]
    # 12 * 0.5 / tanh(1.25) / sqrt(50) = 1.0: this interval is 3.9 wide, and 6 is half the range.
    assert "too few answers" not in cards["clear"]


def test_reports_that_say_less_than_one_answer_are_not_called_worth_0(
    cards: dict[str, str],
) -> None:
    # 50 * tanh(0.025)^2 = 0.03.
    little = "50 randomized answers, which tell us less than a single unprotected one would."
    assert little in cards["faint"]
    # Of a the reports are those that chance alone would give, so next to nothing is known of it.
    assert (
        "50 randomized answers. For the best option they tell us as much as 4 unprotected ones "
        "would, for some less than a single one would."
    ) in cards["uneven"]
