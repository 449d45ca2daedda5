"""Results of numbers that can be declined: the mean of those who answered, and the silent ones."""

import re
from typing import Any

import pytest

from client.core.assignment import draw_assignment
from client.core.primitives.words import SecureWords
from client.core.respond import respond
from server.lifecycle.hand_in import hand_in
from tests.support.live import Live

pytestmark = pytest.mark.usefixtures("same_words")

PEOPLE = 600


@pytest.fixture
def draft() -> dict[str, Any]:
    number = {"kind": "number", "lo": "0", "hi": "20", "decline": "true", "epsilon": "2"}
    return {
        "slug": "declined",
        "title": "Declined",
        "delete_on": "2999-12-31",
        "questions": [
            {"id": "drinks", "prompt": "Drinks?", "unit": "drinks", **number},
            {"id": "income", "prompt": "Income?", **number},
        ],
    }


def answer(live: Live) -> None:
    """Every third person declines the first question, and everybody the second one."""
    words = SecureWords()
    for person in range(PEOPLE):
        answers = {"drinks": 21 if person % 3 == 0 else 6, "income": 21}
        ticket = live.ticket()
        assignment = draw_assignment(live.survey, ticket)
        report = respond(live.survey, assignment, answers, words)
        hand_in(live.services, "declined", report.wire(live.survey), ticket)


def test_the_page_shows_the_mean_of_those_who_answered_or_says_why_there_is_none(
    live: Live,
) -> None:
    answer(live)
    body = live.get("/s/declined/results").body.decode()
    drinks, income = body.split('aria-labelledby="drinks"')[1].split('aria-labelledby="income"')
    mean = re.search(r"Mean of those who answered: <strong><bdi>([0-9.]+)", drinks)
    assert mean is not None
    assert 4 < float(mean[1]) < 8
    assert "Prefer not to say" in drinks
    assert "It is not clear that anybody gave a number" in income
    assert "Mean of those who answered" not in income
    assert "Prefer not to say" in income
    # What forged answers could do is said of the mean and of silence, each in its unit.
    honest = re.search(r"<bdi[^>]*>Prefer not to say</bdi></th><td>5 of 500: [^<]*%", drinks)
    assert honest is not None
    moves = (
        r"5 forged answers among all 500 move the share of Prefer not to say by at most ([\d.]+)"
    )
    for text in (drinks, income):
        found = re.search(moves, text)
        assert found is not None
        # At epsilon 2 a report counts for 1.2 to 3: a hundredth of them for as many points.
        assert 1 < float(found[1]) < 4
    assert "move the mean by" in drinks
    assert "move the mean by" not in income
    for question in ("drinks", "income"):
        assert live.get(f"/s/declined/figures/{question}.svg").status == 200
