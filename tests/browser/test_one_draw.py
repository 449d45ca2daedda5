"""No second draw: neither a refusal nor a damaged memory makes a device toss its coins again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.respondent import (
    OUTBOX,
    UNSENT,
    HandIns,
    answer,
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


def test_a_ticket_that_the_server_disowns_is_not_replaced_and_the_report_is_not(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    hand_ins = HandIns(context)
    ready_to_send(page, link, TRUTH)
    server.stop()
    (server.data / "secret.key").unlink()
    server.start()
    send(page)
    for _ in range(2):
        expect(page.get_by_text("does not accept the ticket of this device")).to_be_visible()
        page.reload()
    expect(page.get_by_text("does not accept the ticket of this device")).to_be_visible()
    assert len(hand_ins.sent) == 3
    assert len(hand_ins.different) == 1
    assert server.reports("habits") == []


def test_a_survey_that_closed_meanwhile_is_told_and_the_report_is_not_drawn_again(
    page: Page, link: str, server: ServerProcess
) -> None:
    ready_to_send(page, link, TRUTH)
    server.close("habits")
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("This survey is closed")
    expect(page.get_by_text("yours were not counted")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    assert "body" in kept(page)
    assert server.reports("habits") == []


def test_no_refusal_of_a_server_makes_the_device_draw_again(
    page: Page, context: BrowserContext, link: str
) -> None:
    """A server that refuses a report to see another one would learn twice as much."""
    hand_ins = HandIns(context)
    refusal = {"error": {"code": "made_up", "message": "not today", "field": None}}
    page.route("**/reports", lambda route: route.fulfill(status=400, json=refusal))
    ready_to_send(page, link, TRUTH)
    send(page)
    for _ in range(3):
        expect(page.get_by_text("did not accept your answers: made_up: not today")).to_be_visible()
        page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(UNSENT)
    assert len(hand_ins.sent) == 4
    assert len(hand_ins.different) == 1


def test_a_damaged_kept_report_is_not_replaced_by_a_new_draw(
    page: Page, context: BrowserContext, link: str, server: ServerProcess
) -> None:
    answer(page, link, TRUTH)
    (key,) = page.evaluate(f"({OUTBOX})('readonly', (box) => box.getAllKeys())")
    page.evaluate(f"(key) => ({OUTBOX})('readwrite', (box) => box.put('damaged', key))", key)
    hand_ins = HandIns(context)
    page.reload()
    expect(page.get_by_text("missing or damaged")).to_be_visible()
    assert page.locator("fieldset").count() == 0
    assert hand_ins.sent == []
