"""One report per device: whatever goes wrong, the same bytes go again and one row is stored."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.respondent import (
    UNSENT,
    HandIns,
    answer,
    expect_receipt,
    kept,
    ready_to_send,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS

TRUTH = ["Yes", "No", "Not now"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of its own for every test: some of them kill it."""
    with serving(tmp_path, HABITS) as running:
        yield running


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/habits"


def test_reload_back_and_later_visits_send_nothing_new(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    answer(page, link, TRUTH)
    for _ in range(3):
        page.reload()
        expect_receipt(page)
    page.goto(f"{link}/results")
    page.go_back()
    expect_receipt(page)
    later = context.new_page()
    later.goto(link)
    expect_receipt(later)
    expect(later.get_by_text("This device has already sent its answers")).to_be_visible()
    assert len(hand_ins.sent) == 1
    assert len(server.reports("habits")) == 1


def test_the_receipt_keeps_no_ticket(page: Page, link: str) -> None:
    answer(page, link, TRUTH)
    assert kept(page).keys() == {"sent", "body"}


def test_a_double_click_sends_once(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    ready_to_send(page, link, TRUTH)
    page.evaluate(
        """() => { const send = document.querySelector(".actions .button");
        for (let i = 0; i < 5; i++) send.dispatchEvent(new MouseEvent("click")); }"""
    )
    expect_receipt(page)
    assert len(hand_ins.sent) == 1
    assert len(server.reports("habits")) == 1


def test_a_dead_server_leaves_the_report_waiting_and_try_again_sends_the_same_bytes(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    ready_to_send(page, link, TRUTH)
    server.kill()
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSENT)
    expect(page.get_by_text("The server is out of reach just now")).to_be_visible()
    before = kept(page)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSENT)
    server.start()
    page.get_by_role("button", name="Try again").click()
    expect_receipt(page)
    assert len(hand_ins.sent) == 3
    assert hand_ins.different == {(before["ticket"], before["body"])}
    assert server.reports("habits") == [json.loads(before["body"])["randomized"]]


def test_a_reload_after_the_servers_death_sends_the_same_bytes(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    ready_to_send(page, link, TRUTH)
    server.kill()
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSENT)
    server.start()
    page.reload()
    expect_receipt(page)
    assert len(hand_ins.sent) == 2
    assert len(hand_ins.different) == 1
    assert len(server.reports("habits")) == 1


def test_the_report_that_waits_is_sent_when_the_connection_comes_back(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    ready_to_send(page, link, TRUTH)
    context.set_offline(True)
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSENT)
    waiting = kept(page)["body"]
    context.set_offline(False)
    expect_receipt(page)
    assert len(hand_ins.different) == 1
    assert server.reports("habits") == [json.loads(waiting)["randomized"]]
    # Nothing waits any more: another change of the connection sends nothing.
    sent = len(hand_ins.sent)
    context.set_offline(True)
    context.set_offline(False)
    page.reload()
    expect_receipt(page)
    assert len(hand_ins.sent) == sent


def test_a_lost_reply_is_answered_by_the_same_report_again(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    ready_to_send(page, link, TRUTH)
    statuses: list[int] = []

    def lose(route: Route) -> None:
        statuses.append(route.fetch().status)
        if len(statuses) < 3:
            route.abort()
        else:
            route.continue_()

    page.route("**/reports", lose)
    hand_ins = HandIns(context)
    send(page)
    for _ in range(2):
        page.get_by_role("button", name="Try again").click()
    expect_receipt(page)
    assert statuses == [201, 200, 200]
    assert len(hand_ins.different) == 1
    assert len(server.reports("habits")) == 1


def test_two_tabs_agree_on_one_report(
    context: BrowserContext, link: str, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    tabs = [context.new_page(), context.new_page()]
    for tab in tabs:
        ready_to_send(tab, link, TRUTH)
    for tab in tabs:
        tab.evaluate("""() => { document.querySelector(".actions .button").click() }""")
    for tab in tabs:
        expect_receipt(tab)
    assert len(hand_ins.sent) == 1
    assert len(server.reports("habits")) == 1
    notes = [tab.get_by_text("Only those count").count() for tab in tabs]
    assert sorted(notes) == [0, 1]
    shown = [tab.locator(".facts").first.inner_text() for tab in tabs]
    assert shown[0] == shown[1]


def test_a_tab_that_answers_while_another_waits_sends_the_waiting_report(
    context: BrowserContext, link: str, server: ServerProcess
) -> None:
    first, second = context.new_page(), context.new_page()
    for tab in (first, second):
        ready_to_send(tab, link, TRUTH)
    server.kill()
    send(first)
    expect(first.get_by_role("heading", level=1)).to_have_text(UNSENT)
    waiting = kept(first)["body"]
    server.start()
    send(second)
    expect_receipt(second)
    assert server.reports("habits") == [json.loads(waiting)["randomized"]]


def test_what_waits_on_the_device_is_the_report_and_nothing_else(
    page: Page, link: str, server: ServerProcess
) -> None:
    ready_to_send(page, link, TRUTH)
    server.kill()
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSENT)
    assert kept(page).keys() == {"ticket", "body"}
