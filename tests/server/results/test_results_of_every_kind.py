"""Results of every kind of question: what people truly answered comes back out of the tallies."""

import re
from collections.abc import Mapping
from itertools import repeat
from typing import Any

import pytest

from client.core.assignment import draw_assignment
from client.core.primitives.words import SecureWords, secure_hex
from client.core.respond import respond
from estimators.tables.level_rows import QUANTILES
from server.lifecycle import ending
from server.lifecycle.hand_in import hand_in
from server.results.shown import live_results
from server.store.verify import verify
from tests.support.live import Live

pytestmark = pytest.mark.usefixtures("same_words")

EPSILON = "2"
PEOPLE = 600
ASKED = 2
ANSWERS: dict[str, Any] = {
    "smokes": 1,
    "colour": 2,
    "name": 7,
    "illness": [0, 3],
    "any": [1],
    "trust": 8,
    "mood": 4,
    "drinks": 12,
    "hours": 5,
    "both": 1,
}


def question(id: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "prompt": f"About {id}?", "epsilon": EPSILON, **fields}


@pytest.fixture
def draft() -> dict[str, Any]:
    """One question of every kind and mechanism; each person is asked two of ten."""
    boxes = ["a", "b", "c", "d", "e", "f", "g", "h"]
    return {
        "slug": "kinds",
        "title": "Every kind",
        "delete_on": "2999-12-31",
        "ask_each_person": str(ASKED),
        "questions": [
            question("smokes"),
            question("colour", kind="one_of", options=["red", "green", "blue"], decline="true"),
            question("name", kind="one_of", options=[f"n{i}" for i in range(40)], mechanism="hr"),
            question("illness", kind="any_of", options=boxes, at_most="2"),
            question("any", kind="any_of", options=["x", "y"]),
            question("trust", kind="scale", lo="0", hi="10", goal="mean"),
            question("mood", kind="scale", lo="1", hi="5"),
            question("drinks", kind="number", lo="0", hi="60", mechanism="isw"),
            question("hours", kind="number", lo="0", hi="12", step="0.5", goal="distribution"),
            question("both", kind="cross", row_prompt="A?", column_prompt="B?"),
        ],
    }


@pytest.fixture
def answered(live: Live) -> Live:
    words = SecureWords()
    for _ in range(PEOPLE):
        ticket = live.ticket()
        assignment = draw_assignment(live.survey, ticket)
        report = respond(live.survey, assignment, ANSWERS, words)
        hand_in(live.services, "kinds", report.wire(live.survey), ticket)
    return live


def rows(live: Live) -> list[Mapping[str, Any]]:
    """The final figures."""
    ending.close(live.services.database, "kinds")
    answer = live.get("/s/kinds/estimates.json")
    assert (answer.status, answer.json["n"]) == (200, PEOPLE)
    return list(answer.json["estimates"])


def test_every_share_is_found_within_five_standard_errors(answered: Live) -> None:
    checked = 0
    for row in rows(answered):
        truth = ANSWERS[row["question"]]
        if row["quantity"] == "share":
            held = truth if isinstance(truth, list) else [truth]
            # False alarm below 1e-4 over all rows together, by the normal tail at 5.
            spread = max(row["standard_error"], row["noise_error"])
            assert abs(row["value"] - (row["option"] in held)) < 5 * spread, row
            checked += 1
    assert checked == 2 + 4 + 40 + 8 + 2 + 5 + 4


def test_every_mean_is_found_within_five_standard_errors(answered: Live) -> None:
    truths = {"trust": 8.0, "mood": 5.0, "drinks": 12.0, "hours": 2.5}
    means = {row["question"]: row for row in rows(answered) if row["quantity"] == "mean"}
    assert means.keys() == truths.keys()
    for id, row in means.items():
        assert abs(row["value"] - truths[id]) < 5 * row["standard_error"], row


def test_each_person_was_asked_as_many_questions_as_the_survey_says(answered: Live) -> None:
    tallies = live_results(answered.services.database, "kinds").tallies
    assert sum(tally.n for tally in tallies.values()) == ASKED * PEOPLE
    assert verify(answered.folder.database).problems == []


def test_the_page_shows_every_question(answered: Live) -> None:
    page = answered.get("/s/kinds/results")
    assert page.status == 200
    text = page.body.decode()
    for id in ANSWERS:
        assert f"About {id}?" in text
    assert "the 20 largest of 40 options" in text
    assert "<p>blue has the largest share (95% confidence).</p>" in text
    assert text.count("Sum of all answers") == 4
    assert text.count('class="histogram"') == text.count('class="bars quantiles"') == 3


def test_the_box_plot_of_a_page_says_what_its_table_says(answered: Live) -> None:
    """Every quantile stands beside the box with the interval that the JSON gives it."""
    found = [row for row in rows(answered) if row["quantity"] in QUANTILES]
    text = answered.get("/s/kinds/results").body.decode()
    cards = re.findall(r'<section class="card" aria-labelledby="(\w+)">(.*?)</section>', text, re.S)
    sections = dict(cards)
    assert len(found) == 3 * len(QUANTILES)
    for row in found:
        value, low, high = (f"{row[name]:.10g}" for name in ("value", "low", "high"))
        plain = re.sub(r"<[^>]*>", "", sections[row["question"]])
        assert f"{value} {low} to {high}" in plain


def test_the_options_that_may_have_the_largest_share_are_in_the_json(answered: Live) -> None:
    leaders = {
        row["question"]: row for row in answered.get("/s/kinds/estimates.json").json["leaders"]
    }
    assert leaders.keys() == {"colour", "name", "illness", "mood", "both"}
    assert leaders["colour"] == {"question": "colour", "best": ["blue"], "confidence": 0.95}
    assert leaders["name"]["best"][0] == "n7"


def test_a_report_about_other_questions_than_its_ticket_stands_for_is_refused(live: Live) -> None:
    words = SecureWords()
    ticket = live.ticket()
    own = draw_assignment(live.survey, ticket)
    # Now and then two tickets stand for the same questions.
    tickets = (live.ticket() for _ in repeat(None))
    other = next(each for each in tickets if draw_assignment(live.survey, each) != own)
    report = respond(live.survey, own, ANSWERS, words)
    before = live.stored()
    answer = live.post(report.wire(live.survey), ticket=other)
    assert (answer.status, answer.code) == (400, "not_assigned")
    assert live.stored() == before
    assert live.post(report.wire(live.survey), ticket=ticket).status == 201


def test_every_report_has_the_same_length(live: Live) -> None:
    words = SecureWords()
    lengths = set()
    for _ in range(50):
        assignment = draw_assignment(live.survey, secure_hex(4))
        lengths.add(len(respond(live.survey, assignment, ANSWERS, words).wire(live.survey)))
    assert lengths == {live.survey.report_bytes}
