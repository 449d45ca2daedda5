"""What the server refuses is told in words for people, and says what becomes of the report."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.respondent import choose, expect_receipt, open_survey, review
from tests.browser.server_process import ServerProcess

TRUTH = ["Yes", "No", "Not now"]


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/habits"


def test_a_survey_that_gives_no_ticket_asks_nothing(page: Page, link: str) -> None:
    page.route("**/tickets", lambda route: route.abort())
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Please try again")
    expect(page.get_by_text("out of reach")).to_be_visible()
    assert page.locator("input").count() == 0
    page.unroute("**/tickets")
    page.get_by_role("button", name="Reload the page").click()
    expect(page.get_by_role("radio").first).to_be_enabled()


def test_a_busy_server_is_tried_again(page: Page, link: str) -> None:
    page.route("**/reports", lambda route: route.fulfill(status=503, body=""), times=1)
    open_survey(page, link)
    choose(page, TRUTH)
    review(page)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("The server is busy just now")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect_receipt(page)
