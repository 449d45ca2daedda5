"""Results: the page, the CSV and the JSON say the same figures, and say them honestly."""

import csv
import io
import json
import math
import re
from typing import Any

import pytest

from estimators.tables.table import COLUMNS
from server.lifecycle import ending
from tests.support.live import Live
from tests.support.publishing import publish_draft

RESULTS = "/s/habits/results"


def hand_in(live: Live, smokes: list[int]) -> None:
    """Reports straight into the ballot box; `drinks` is always reported as 0."""
    for bit in smokes:
        live.fill(1, smokes=bit)


def rows(live: Live) -> dict[tuple[str, str], dict[str, Any]]:
    answer = live.get("/s/habits/estimates.json")
    return {(row["question"], row["label"]): row for row in answer.json["estimates"]}


def test_the_debiased_sum_is_the_formula_applied_to_the_counts(live: Live) -> None:
    hand_in(live, [1] * 30 + [0] * 20)
    row = rows(live)["smokes", "Yes"]
    alpha = math.tanh(0.5)
    assert row["n"] == 50
    assert row["reported_count"] == 30
    assert row["total"] == pytest.approx((30 - 50 * (1 - alpha) / 2) / alpha, rel=1e-8)
    assert row["share"] == pytest.approx(row["total"] / 50)
    assert row["noise_variance"] == pytest.approx(math.e / (math.e - 1) ** 2 / 50, rel=1e-8)
    assert row["low"] < row["share"] < row["high"]


def test_a_negative_estimate_stays_negative_and_is_explained(live: Live) -> None:
    hand_in(live, [0] * 50)
    row = rows(live)["smokes", "Yes"]
    assert row["total"] < 0
    assert row["clipped_share"] == 0
    page = live.get(RESULTS).body.decode()
    assert "An estimate below zero is possible" in page
    assert f"{100 * row['share']:.1f}" in page


def test_the_page_shows_estimated_and_reported_bars_intervals_and_n(live: Live) -> None:
    hand_in(live, [1, 0, 0, 1, 0] * 10)
    page = live.get(RESULTS).body.decode()
    row = rows(live)["smokes", "Yes"]
    assert "Estimated from 50 randomized reports" in page
    assert page.count('class="bar-share"') == page.count('class="bar-reported"') == 4
    assert f"{100 * row['low']:.1f}% to {100 * row['high']:.1f}%" in page
    assert f"<bdi>{100 * row['value']:.1f}%</bdi></strong>" in page
    assert "<bdi>40.0%</bdi>" in page
    assert f"<bdi>{row['design_effect']:.2f}</bdi>" in page


def test_the_page_says_how_many_unprotected_answers_would_say_as_much(live: Live) -> None:
    hand_in(live, [1, 0] * 50)
    # A share of a half: the reports carry alpha^2 of what open answers would.
    worth = round(100 * math.tanh(0.5) ** 2)
    page = live.get(RESULTS).body.decode()
    assert f"100 reports, which tell us about as much as {worth} unprotected answers would." in page


def test_the_page_says_how_far_forged_reports_could_move_a_share(live: Live) -> None:
    hand_in(live, [1, 0] * 100)
    page = live.get(RESULTS).body.decode()
    forged = re.findall(
        r'<th scope="row"><bdi>(\d+)</bdi></th><td><bdi>([\d.]+)%</bdi></td>\s*<td>([\d.]+) points',
        page,
    )
    # Of 200 reports 1 %, 5 % (and also a handful), 10 %; one moves at most (1 - q)/(p - q) people.
    assert [(int(m), float(part)) for m, part, _ in forged[:3]] == [(2, 1.0), (10, 5.0), (20, 10.0)]
    lever = (1 + math.tanh(0.5)) / 2 / math.tanh(0.5)
    for m, _, move in forged[:3]:
        assert float(move) == pytest.approx(100 * int(m) * lever / 200, abs=0.005)


def test_csv_and_json_hold_the_same_figures(live: Live) -> None:
    hand_in(live, [1, 0] * 25)
    table = list(csv.DictReader(io.StringIO(live.get("/s/habits/estimates.csv").body.decode())))
    assert tuple(table[0]) == COLUMNS
    for line in table:
        line["label"] = line["label"].removeprefix("'")
        row = rows(live)[line["question"], line["label"]]
        assert {key: "" if value is None else str(value) for key, value in row.items()} == line


def test_a_survey_without_reports_has_a_page_and_no_figures(live: Live) -> None:
    assert "No results yet" in live.get(RESULTS).body.decode()
    assert rows(live)["smokes", "Yes"]["share"] is None
    assert live.get("/s/habits/estimates.csv").status == 200


def test_the_json_is_strict_and_names_the_document(live: Live) -> None:
    hand_in(live, [1] * 50)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    body = json.loads(live.get("/s/habits/estimates.json").body, parse_constant=refuse)
    assert body["fingerprint"] == live.survey.fingerprint
    assert body["n"] == 50
    assert body["total_epsilon"] == "1.5"


@pytest.fixture
def draft() -> dict[str, Any]:
    """The survey of these tests has an option that a spreadsheet would run."""
    question = {"id": "smokes", "prompt": "<b>Do you smoke?</b>", "epsilon": "1"}
    other = {"id": "drinks", "prompt": "Drinks?", "epsilon": "0.5", "options": ["No", "=1+1"]}
    fields = {"slug": "habits", "title": "Habits", "delete_on": "2999-12-31"}
    return {**fields, "questions": [question, other]}


def test_a_label_cannot_start_a_formula_in_a_spreadsheet(live: Live) -> None:
    text = live.get("/s/habits/estimates.csv").body.decode()
    assert "'=1+1" in text
    assert ",=1+1" not in text


def test_author_text_is_data_on_the_page_and_never_markup(live: Live) -> None:
    live.fill(50)
    page = live.get(RESULTS).body.decode()
    assert "<b>Do you smoke?" not in page
    assert "&lt;b&gt;Do you smoke?" in page


def test_a_page_without_results_has_no_empty_cards_and_nothing_to_download(live: Live) -> None:
    page = live.get(RESULTS).body.decode()
    assert 'class="card"' not in page
    assert "estimates.csv" not in page
    assert 'href="document.json"' in page
    live.fill(50)
    page = live.get(RESULTS).body.decode()
    assert page.count('<section class="card"') == 2
    assert "estimates.csv" in page


def test_an_unknown_survey_has_no_results(live: Live) -> None:
    assert live.get("/s/nothing/results").status == 404
    assert live.get("/s/nothing/estimates.json").code == "unknown_survey"


def test_an_earlier_version_keeps_its_results(live: Live, draft: dict[str, Any]) -> None:
    hand_in(live, [1, 0] * 25)
    changed = {**draft, "title": "Habits, once more"}
    publish_draft(live.services, changed, new_version=True)
    assert live.get("/s/habits/estimates.json").json["n"] == 0
    assert live.get("/s/habits/estimates.json?version=1").json["n"] == 50
    assert 'href="?version=1"' in live.get(RESULTS).body.decode()
    assert "Estimated from 50" in live.get(f"{RESULTS}?version=1").body.decode()
    assert live.get("/s/habits/estimates.json?version=7").code == "unknown_survey"
    assert live.get("/s/habits/estimates.json?version=x").code == "bad_version"


def test_few_reports_say_little_and_the_page_says_so(live: Live) -> None:
    hand_in(live, [1, 0] * 25)
    assert "too few reports to say much" in live.get(RESULTS).body.decode()


def test_a_closed_survey_shows_the_way_to_its_results(live: Live) -> None:
    ending.close(live.services.database, "habits")
    page = live.get("/s/habits")
    assert page.status == 410
    assert 'href="/s/habits/results"' in page.body.decode()


def test_the_front_page_tells_a_visitor_what_to_do(live: Live) -> None:
    assert "open the link that you were given" in live.get("/").body.decode()
