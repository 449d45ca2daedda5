"""Tickets between a real device and the real server: groups, tests of drafts, and results."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from client.core.tickets.ticket import report_id
from tests.browser.axe import violations
from tests.browser.respondent import (
    OUTBOX,
    HandIns,
    answer,
    begin,
    choose,
    expect_receipt,
    go_in,
    open_survey,
    receipts,
    review,
    send,
    turns,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.support.groups import with_factors

TRUTH = ["Yes", "No", "Not now"]
STAFF: dict[str, Any] = {**HABITS, "slug": "staff", "access": "invited"}
ARMS = {**with_factors(STAFF), "slug": "arms"}
LATER = {**STAFF, "slug": "later", "answer_from": "2099-03-01", "delete_on": "2999-12-31"}
# As few as a group may have.
LINKS = 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("tickets"), STAFF, ARMS, LATER) as running:
        yield running


def stored(server: ServerProcess) -> dict[str, str]:
    """The group of every report by its id."""
    with closing(sqlite3.connect(server.data / "candor.db")) as db:
        rows = db.execute("SELECT id, in_group FROM reports").fetchall()
    return dict(rows)


def test_a_link_buys_one_ticket_in_its_group_and_the_report_has_the_tickets_id(
    page: Page, context: BrowserContext, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    links = {
        "": server.invite("staff")[0],
        "1-0": server.invite("arms", LINKS, "arm=control, site=north")[0],
    }
    for group, link in links.items():
        answer(page, link, TRUTH)
        ticket, _ = hand_ins.sent[-1]
        assert ticket.split(".")[1:-1] == ([group] if group else [])
        assert stored(server)[report_id(ticket)] == group
        assert turns(page) == []
    assert len(hand_ins.sent) == 2
    # What the device keeps of a group is what was sent of it.
    assert sorted(one.get("group", "") for one in receipts(page)) == ["", "1-0"]


def test_a_test_of_an_invited_survey_needs_no_link_and_can_be_done_again(
    page: Page, server: ServerProcess
) -> None:
    for slug, draft in (("staff", STAFF), ("arms", ARMS)):
        server.rehearse(draft)
        link = f"{server.url}/t/{slug}"
        page.goto(link)
        begin(page)
        expect(page.locator("fieldset.questions input").first).to_be_enabled()
        page.reload()
        # With the ticket that it has.
        expect(page.locator("fieldset.questions input").first).to_be_enabled()
        for round in (1, 2):
            choose(page, TRUTH)
            review(page)
            send(page)
            expect_receipt(page)
            assert len(server.rows(slug, test=True)) == round
            page.get_by_role("button", name="Test again").click()
            go_in(page)
        assert turns(page) != []


def test_a_ticket_that_was_collected_survives_the_death_of_the_server(
    page: Page, server: ServerProcess
) -> None:
    (link,) = server.invite("staff")
    page.goto(link)
    expect(page.locator(".entrance")).to_be_visible()
    server.kill()
    begin(page)
    expect(page.get_by_text("The server is out of reach just now")).to_be_visible()
    ((asked,),) = [turn["asked"] for turn in turns(page)]
    server.start()
    page.get_by_role("button", name="Try again").click()
    go_in(page)
    (kept,) = turns(page)
    assert kept["ticket"].startswith(asked["nonce"])


def test_collecting_is_all_that_a_survey_for_another_day_offers(
    page: Page, server: ServerProcess
) -> None:
    (link,) = server.invite("later")
    page.goto(link)
    expect(page.get_by_text("Answers are taken from 1 March 2099 on")).to_be_visible()
    begin(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Ticket collected")
    # A device whose clock is ahead hears it from the server, and keeps what it has drawn.
    page.clock.set_fixed_time("2099-03-02")
    open_survey(page, link)
    choose(page, TRUTH)
    review(page)
    send(page)
    expect(page.get_by_text("The survey is not open yet")).to_be_visible()
    (kept,) = turns(page)
    assert json.loads(kept["body"])["randomized"].keys() == {"asleep", "blame", "quit"}
    assert server.reports("later") == []


def test_results_say_if_this_device_was_given_a_document_that_is_not_shown_there(
    page: Page, server: ServerProcess
) -> None:
    (link,) = server.invite("staff")
    answer(page, link, TRUTH)
    (key,) = page.evaluate(f"({OUTBOX})('readonly', (box) => box.getAllKeys())")
    fingerprint = key.removeprefix("staff:")
    notice = page.locator(".other-document")
    page.goto(f"{server.url}/s/staff/results")
    expect(notice).to_be_attached()
    page.wait_for_load_state("networkidle")
    expect(notice).to_be_hidden()
    # A new version is no other document: the page lists both.
    server.publish({**STAFF, "title": "Habits again"}, new_version=True)
    page.reload()
    expect(notice).to_be_hidden()
    # As if the server forgot the one that it had given to this device.
    page.route("**/results", forget_the_first)
    page.reload()
    expect(notice).to_be_visible()
    shown = " ".join(fingerprint[place : place + 4] for place in range(0, 32, 4))
    expect(notice.locator("code")).to_have_text(shown)
    expect(notice).to_contain_text("Please tell the organizer, and others.")
    assert violations(page) == []


def forget_the_first(route: Route) -> None:
    """Answer without the fingerprint of the first version, which is the last in the list."""
    found = route.fetch()
    html = found.text()
    start = html.index('data-fingerprints="')
    end = html.index('" hidden>', start)
    route.fulfill(response=found, body=html[: html.rindex(" ", start, end)] + html[end:])
