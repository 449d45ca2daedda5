"""Every state of a survey is a human page, on a phone, in light and dark, and read aloud."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.serving import running_services
from server.surveys.schedule import Schedule
from tests.browser.axe import violations
from tests.browser.conftest import PHONE
from tests.browser.respondent import UNSENT, expect_receipt, ready_to_send, send
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.support.live import JSON
from tests.support.live import send as request
from tests.support.publishing import publish_draft

TRUTH = ["Yes", "No", "Not now"]
FAR = "2099-12-01"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A survey in every state; the name of each is its state."""
    folder = tmp_path_factory.mktemp("states")
    with running_services(DataFolder(folder / "data")) as services:
        later = Schedule.of_days(FAR, None, services.database.now)
        publish_draft(services, {**HABITS, "slug": "later"}, schedule=later)
        for slug in ("habits", "ending", "over", "old"):
            publish_draft(services, {**HABITS, "slug": slug})
        ending.begin_closing(services, "ending", "24")
        for slug in ("over", "old"):
            ending.close(services.database, slug)
        ending.archive(services.database, "old")
    with serving(folder) as running:
        yield running


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme: Literal["light", "dark"] = request.param
    device = browser.new_context(viewport=PHONE, color_scheme=scheme)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def visit(page: Page, address: str) -> int:
    response = page.goto(address)
    assert response is not None
    return response.status


def expect_notice(page: Page, heading: str, *texts: str, results: bool = False) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    for text in texts:
        expect(page.get_by_text(text)).to_be_visible()
    assert page.get_by_role("link", name="See the results").count() == int(results)
    assert page.locator("input").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_not_yet_open_names_the_day(page: Page, server: ServerProcess) -> None:
    assert visit(page, f"{server.url}/s/later") == 403
    expect_notice(page, "This survey is not open yet", FAR, "come back then")


def test_closed_and_archived_lead_to_the_results(page: Page, server: ServerProcess) -> None:
    assert visit(page, f"{server.url}/s/over") == 410
    expect_notice(page, "This survey is closed", "takes no more answers", results=True)
    assert visit(page, f"{server.url}/s/old") == 410
    expect_notice(page, "This survey is over", "can still be read", results=True)
    page.get_by_role("link", name="See the results").click()
    expect(page.get_by_text("This survey is archived.")).to_be_visible()


def test_closing_takes_no_new_participants(page: Page, server: ServerProcess) -> None:
    visit(page, f"{server.url}/s/ending")
    expect_notice(
        page, "This survey is closing", "no new participants", "Nothing was sent.", results=True
    )
    page.get_by_role("link", name="See the results").click()
    expect(page.get_by_text("This survey is closing.")).to_be_visible()


def test_what_does_not_exist_says_so(page: Page, server: ServerProcess) -> None:
    assert visit(page, f"{server.url}/s/nowhere") == 404
    expect_notice(page, "There is no such survey", "Please check the link")
    assert visit(page, f"{server.url}/t/nowhere") == 404
    expect_notice(page, "There is no such test", "ask the organizer")


def break_ticket(page: Page, change: dict[str, str | None]) -> None:
    """Something between page and server touches the header with the ticket."""

    def tamper(route: Route) -> None:
        headers = route.request.headers | change
        route.continue_(headers={name: text for name, text in headers.items() if text is not None})

    page.route("**/reports", tamper)


def test_a_ticket_that_is_missing_is_told_and_the_same_report_sent_again(
    page: Page, server: ServerProcess
) -> None:
    before = len(server.rows("habits"))
    ready_to_send(page, f"{server.url}/s/habits", TRUTH)
    break_ticket(page, {"candor-ticket": None})
    send(page)
    text = "The ticket of this page was lost on the way"
    expect_notice(page, UNSENT, text, "kept on this device")
    page.unroute("**/reports")
    page.get_by_role("button", name="Try again").click()
    expect_receipt(page)
    assert len(server.rows("habits")) == before + 1


def test_a_ticket_that_is_not_accepted_is_final(page: Page, server: ServerProcess) -> None:
    ready_to_send(page, f"{server.url}/s/habits", TRUTH)
    break_ticket(page, {"candor-ticket": "forged"})
    send(page)
    expect_notice(page, "Your answers were not counted", "does not accept the ticket")
    assert page.get_by_role("button").count() == 0


def test_a_ticket_that_somebody_else_has_used_is_told(page: Page, server: ServerProcess) -> None:
    with page.expect_response("**/tickets") as issued:
        ready_to_send(page, f"{server.url}/s/habits", TRUTH)
    ticket = issued.value.json()["ticket"]
    page.route("**/reports", lambda route: use_first(server, ticket, route))
    send(page)
    expect_notice(page, "Your answers were not counted", "used for other answers already")


def swapped(body: str) -> str:
    """Another report of the same length."""
    head, name, randomized = body.partition('"randomized":')
    return head + name + randomized.translate(str.maketrans("01", "10"))


def use_first(server: ServerProcess, ticket: str, route: Route) -> None:
    """Hand in another report with the page's ticket, just before the page does."""
    body = swapped(route.request.post_data or "").encode()
    headers = {**JSON, "Candor-Ticket": ticket}
    assert request(server.url, "POST", "/api/surveys/habits/reports", body, headers).status == 201
    route.continue_()
