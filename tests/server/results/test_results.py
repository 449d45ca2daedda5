"""Results: the page, the CSV and the JSON say the same figures, and say them honestly."""

import csv
import io
import json
import math
import re
from typing import Any

import pytest
from scipy import stats

from client.core.assignment import draw_assignment
from estimators.tables.table import COLUMNS
from server.data_folder import DataFolder
from server.lifecycle import ending
from tests.support.live import Live
from tests.support.live import live as run_live
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
    assert row["possible_share"] == 0
    page = live.get(RESULTS).body.decode()
    assert "An estimate below zero is possible" in page
    assert f"{100 * row['share']:.1f}" in page


def test_the_page_shows_estimated_and_reported_bars_intervals_and_n(live: Live) -> None:
    hand_in(live, [1, 0, 0, 1, 0] * 10)
    page = live.get(RESULTS).body.decode()
    row = rows(live)["smokes", "Yes"]
    assert "Estimated from 50 randomized answers" in page
    assert page.count('class="bar-share"') == page.count('class="bar-reported"') == 4
    assert f"{100 * row['low']:.1f}% to {100 * row['high']:.1f}%" in page
    assert f"<bdi>{100 * row['value']:.1f}%</bdi></strong>" in page
    assert "<bdi>40.0%</bdi>" in page
    assert f"<bdi>{row['design_effect']:.2f}</bdi>" in page


def test_the_page_shows_totals_with_their_interval_error_and_both_variances(live: Live) -> None:
    hand_in(live, [1, 0, 0, 1, 0] * 10)
    page = live.get(RESULTS).body.decode()
    row = rows(live)["smokes", "Yes"]
    variance = 50 * math.e / (math.e - 1) ** 2
    assert row["total_noise_variance"] == pytest.approx(variance, rel=1e-8)
    figures = (
        f"<td><bdi>{row['total']:.0f}</bdi></td>"
        f"<td>{row['total_low']:.0f} to {row['total_high']:.0f}</td>\n"
        f"      <td><bdi>{row['total_standard_error']:.2f}</bdi></td>"
        f"<td><bdi>{row['total_noise_variance']:.0f}</bdi></td>"
        f"<td><bdi>{row['total_sampling_variance']:.0f}</bdi></td>"
    )
    assert figures in page


def test_the_page_says_how_many_unprotected_answers_would_say_as_much(live: Live) -> None:
    hand_in(live, [1, 0] * 50)
    # A share of a half: the reports carry alpha^2 of what open answers would.
    worth = round(100 * math.tanh(0.5) ** 2)
    page = live.get(RESULTS).body.decode()
    said = f"100 randomized answers, which tell us about as much as {worth} unprotected ones would."
    assert said in page


def test_the_page_says_what_honest_reports_would_give_and_how_far_forged_ones_move(
    live: Live,
) -> None:
    hand_in(live, [1, 0] * 100)
    page = live.get(RESULTS).body.decode()
    cells = re.findall(r"<td>(\d+) of 200: (-?[\d.]+)% to (-?[\d.]+)%</td>", page)
    # Of 200 reports 1 % and 10 %, for No and for Yes: 100 of 200 say either.
    assert [int(m) for m, *_ in cells[:4]] == [2, 20, 2, 20]
    alpha = math.tanh(0.5)
    for m, low, high in cells[:4]:
        rest = 200 - int(m)
        honest = [((count / rest - 0.5) / alpha) + 0.5 for count in (100 - int(m), 100)]
        assert [float(low), float(high)] == pytest.approx([100 * x for x in honest], abs=0.05)
    moves = re.findall(
        r"chance, (\d+) forged answers among all 200 .* at most ([\d.]+) points", page
    )
    lever = (1 + alpha) / 2 / alpha
    assert [int(m) for m, _ in moves[:2]] == [2, 20]
    for m, move in moves[:2]:
        assert float(move) == pytest.approx(100 * int(m) * lever / 200, abs=0.005)
    # Everybody is asked everything: nobody can aim.
    assert "who choose what their answers are about" not in page


def test_estimates_in_json_say_what_forged_reports_could_do(live: Live) -> None:
    hand_in(live, [1, 0] * 100)
    body = live.get("/s/habits/estimates.json").json
    row = body["forging"][0]
    assert (row["question"], row["label"], row["part"]) == ("smokes", "No", 0.01)
    assert (row["forged"], row["asked"], row["forged_of_all"], row["reports"]) == (2, 200, 2, 200)
    assert row["honest_low"] < 0.5 < row["honest_high"]
    assert body["draws"] == []


BOXES: dict[str, Any] = {
    "slug": "habits",
    "title": "Habits",
    "delete_on": "2999-12-31",
    "questions": [
        {"id": "ill", "prompt": "Ill?", "kind": "any_of", "options": list("abcde"), "epsilon": "1"}
    ],
}


def test_reports_that_are_aimed_at_one_box_are_shown_as_uneven_and_their_bound_allows_for_it(
    folder: DataFolder,
) -> None:
    """A forger throws tickets away until one stands for box 3; 14 others are about each box."""
    with run_live(folder, BOXES) as live:
        for index in range(100):
            box, ticket = 3 if index >= 70 else index % 5, live.ticket()
            while draw_assignment(live.survey, ticket).boxes["ill"] != [box]:
                ticket = live.ticket()
            assert live.post(live.report(ill=[[box, 1]]), ticket).status == 201
        page = live.get(RESULTS).body.decode()
        (draw,) = live.get("/s/habits/estimates.json").json["draws"]
        moves = [row["move"] for row in live.get("/s/habits/estimates.json").json["forging"]]
    assert draw["flag"] is True
    assert [(item["label"], item["reports"]) for item in draw["uneven"]] == [("d", 44)]
    assert '<bdi lang="en" dir="ltr">d</bdi>: 44 answers, 20 expected' in page
    assert "Even counts would prove nothing" in page
    assert "who choose what their answers are about" in page
    # If ten were forged, so many of the 14 about another box could be among them.
    most = 14 - stats.binom.ppf(0.001, 90, 0.2)
    assert max(moves) == pytest.approx(most / 14 * (1 + math.tanh(0.5)) / 2 / math.tanh(0.5))


FRUIT: dict[str, Any] = {
    "slug": "habits",
    "title": "Habits",
    "delete_on": "2999-12-31",
    "questions": [
        {"id": "fruit", "prompt": "?", "kind": "one_of", "options": list("ABC"), "epsilon": "4"}
    ],
}
SENTENCES = {
    "en": ("With 95% confidence the largest share is that of A or B.", "A has the largest share"),
    "de": ("ist der größte Anteil der von A oder B.", "A hat den größten Anteil"),
    "es": ("la de una de estas opciones: A, B.", "A tiene la mayor proporción"),
    "ar": ("A أو B", "نسبة «A»"),
}


def test_the_page_names_the_set_with_the_largest_share_in_every_language(
    folder: DataFolder,
) -> None:
    with run_live(folder, FRUIT) as live:
        for option, count in enumerate((50, 45, 5)):
            live.fill(count, fruit=[option])
        pages = {language: page_in(live, language) for language in SENTENCES}
        live.fill(100, fruit=[0])
        later = {language: page_in(live, language) for language in SENTENCES}
    for language, (two, one) in SENTENCES.items():
        assert two in pages[language]
        assert one not in pages[language]
        assert one in later[language]


def page_in(live: Live, language: str) -> str:
    """Return the page without the marks that isolate text in the other direction."""
    page = live.send("GET", RESULTS, headers={"Accept-Language": language}).body.decode()
    return re.sub("[\u2067-\u2069]", "", page)


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
    # Two questions, and what the figures reveal about one person.
    assert page.count('<section class="card"') == 3
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
    assert 'href="results?version=1"' in live.get(RESULTS).body.decode()
    assert "Estimated from 50" in live.get(f"{RESULTS}?version=1").body.decode()
    assert live.get("/s/habits/estimates.json?version=7").code == "unknown_survey"
    assert live.get("/s/habits/estimates.json?version=x").code == "bad_version"


def test_few_reports_say_little_and_the_page_says_so(live: Live) -> None:
    hand_in(live, [1, 0] * 25)
    assert "too few answers to say much" in live.get(RESULTS).body.decode()


def test_a_closed_survey_shows_the_way_to_its_results(live: Live) -> None:
    ending.close(live.services.database, "habits")
    page = live.get("/s/habits")
    assert page.status == 410
    assert 'href="/s/habits/results"' in page.body.decode()


def test_the_front_page_tells_a_visitor_what_to_do(live: Live) -> None:
    assert "open the link that you were given" in live.get("/").body.decode()
