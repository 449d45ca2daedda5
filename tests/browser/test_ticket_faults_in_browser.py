"""A page with a fault in how it keeps what it has asked with covers a second ticket: it is seen."""

import json

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.one_script import Change, changed_script
from tests.browser.respondent import begin
from tests.browser.stand import Answer, Stand
from tests.browser.surveys import HABITS

OUTBOX = "device/outbox.js"
FAULTS: dict[str, Change] = {
    "does not look": (
        OUTBOX,
        "asked.find((one) => plainCode(one.invitation) === code)",
        "undefined",
    ),
    "does not keep": (OUTBOX, "await this.#turn.write({ asked: [...asked, own] });", ""),
}


def asks_again_with_the_same(page: Page, stand: Stand) -> bool:
    """Return whether a page that hears nothing asks with the same bytes after a reload."""
    page.goto(stand.link())
    for _ in range(2):
        begin(page)
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        page.reload()
    asked = stand.sent("tickets")
    assert len(asked) == 2
    return len({json.dumps(each) for each in asked}) == 1


@pytest.fixture
def stand(context: BrowserContext) -> Stand:
    own = Stand(HABITS)
    own.serve(context)

    def lose(request: Request) -> Answer | None:
        return None if request.url.endswith("/tickets") else own.honest(request)

    own.answer = lose
    return own


def test_the_shipped_page_asks_again_with_the_same(page: Page, stand: Stand) -> None:
    assert asks_again_with_the_same(page, stand)


@pytest.mark.parametrize("name", FAULTS)
def test_a_page_that_covers_a_second_ticket_is_seen(page: Page, stand: Stand, name: str) -> None:
    changed_script(page, FAULTS[name])
    assert not asks_again_with_the_same(page, stand)
