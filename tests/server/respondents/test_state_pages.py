"""Every state is a page for people: the right status, what happened, what can be done."""

from collections.abc import Iterator
from typing import Any

import pytest

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.surveys.schedule import Schedule
from tests.support.live import JSON, Answer, Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft

FAR = "2099-12-01"


@pytest.fixture
def later(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """A server with an open survey and one that opens in a distant future."""
    with run_live(folder, draft) as live:
        schedule = Schedule.of_days(FAR, None, "2026-11-20T12:00:00Z")
        publish_draft(live.services, {**draft, "slug": "later"}, schedule=schedule)
        yield live


def assert_page(answer: Answer, status: int, *texts: str) -> None:
    assert answer.status == status
    assert answer.headers["Content-Type"].startswith("text/html")
    body = answer.body.decode()
    for text in texts:
        assert text in body
    assert "<script" not in body


def test_a_survey_that_is_not_yet_open_names_the_day_and_has_no_results(later: Live) -> None:
    answer = later.get("/s/later")
    assert_page(answer, 403, "This survey is not open yet", f"It opens on {FAR}", "come back")
    assert b"/results" not in answer.body
    assert b"No results yet" in later.get("/s/later/results").body


def test_a_closing_survey_still_serves_the_page_for_reports_that_wait(live: Live) -> None:
    before = live.get("/s/habits")
    ending.begin_closing(live.services, "habits", "1")
    assert (before.status, live.get("/s/habits").status) == (200, 200)
    assert live.get("/s/habits").body == before.body


def test_a_closed_survey_leads_to_its_results(live: Live) -> None:
    ending.close(live.services.database, "habits")
    answer = live.get("/s/habits")
    assert_page(answer, 410, "This survey is closed", "Thank you", 'href="/s/habits/results"')
    assert live.get("/s/habits/results").status == 200
    assert live.get("/s/habits/document.json").status == 200


def test_an_archived_survey_is_over_and_its_results_stay_readable(live: Live) -> None:
    live.fill(50)
    ending.close(live.services.database, "habits")
    ending.archive(live.services.database, "habits")
    answer = live.get("/s/habits")
    assert_page(answer, 410, "This survey is over", 'href="/s/habits/results"')
    estimates = live.get("/s/habits/estimates.json").json
    assert (estimates["state"], estimates["n"]) == ("archived", 50)
    refused = live.send("POST", "/api/surveys/habits/tickets", b"{}", JSON)
    assert (refused.status, refused.code) == (410, "survey_archived")


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("/s/nowhere", ("There is no such survey", "check the link")),
        ("/s/nowhere/results", ("There is no such survey", "check the link")),
        ("/t/nowhere", ("There is no such test", "ask the organizer", "TEST")),
        ("/nothing", ("Page not found", "check the link")),
    ],
)
def test_what_is_not_there_says_so(live: Live, path: str, texts: tuple[str, ...]) -> None:
    assert_page(live.get(path), 404, *texts)


@pytest.mark.parametrize("state", ["not_yet_open", "open", "closing", "closed", "archived"])
def test_programs_get_one_shape_in_every_state(later: Live, state: str) -> None:
    database = later.services.database
    slug = "later" if state == "not_yet_open" else "habits"
    if state == "closing":
        ending.begin_closing(later.services, slug, "1")
    if state in ("closed", "archived"):
        ending.close(database, slug)
    if state == "archived":
        ending.archive(database, slug)
    answer = later.send("POST", f"/api/surveys/{slug}/tickets", b"{}", JSON)
    if state == "open":
        assert answer.status == 201
    else:
        assert answer.json.keys() == {"error"}
        assert answer.json["error"].keys() == {"code", "message", "field"}
        assert answer.code == {"not_yet_open": "survey_not_open"}.get(state, f"survey_{state}")
    assert later.get(f"/s/{slug}/estimates.json").json["state"] == state
