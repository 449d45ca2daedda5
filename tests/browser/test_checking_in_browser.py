"""Check this page: one hash on the page, on the wire and from the repository, and no other byte."""

import hashlib
import re
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from client.authoring.draft.survey import build_survey
from client.browser.bundle import catalogue, script, script_file, style, survey_page
from client.browser.headers import HEADERS
from client.terminal.check import compare_saved
from client.terminal.visit import visit
from tests.browser.respondent import open_survey
from tests.browser.server_process import ServerProcess
from tests.browser.surveys import HABITS
from tests.support.small_server import Quiet, served_by

SURVEY = build_survey(HABITS)
HASH = hashlib.sha256(script().encode()).hexdigest()


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/habits"


def facts(page: Page) -> list[str]:
    page.get_by_text("Check this page", exact=True).click()
    return page.locator(".check dd").all_inner_texts()


def test_the_page_says_the_hash_of_what_is_served_and_of_what_the_repository_makes(
    page: Page, link: str
) -> None:
    open_survey(page, link)
    served = page.request.get(page.locator("script").evaluate("({ src }) => src")).body()
    assert hashlib.sha256(served).hexdigest() == HASH
    pinned = f"{link}#{SURVEY.fingerprint}"
    assert facts(page) == [
        *(SURVEY.fingerprint, HASH),
        *(f"candor check {pinned}", f"candor answer {pinned}"),
    ]


def test_the_page_fetches_its_script_again_and_compares(page: Page, link: str) -> None:
    open_survey(page, link)
    facts(page)
    button = page.get_by_role("button", name="Fetch the script again and compare")
    outcome = page.locator(".check").get_by_role("status")
    button.click()
    expect(outcome).to_have_text(f"The server still hands out the same script: {HASH}")
    other = script() + " "
    page.route("**/client/*.js", lambda route: route.fulfill(body=other))
    button.click()
    other_hash = hashlib.sha256(other.encode()).hexdigest()
    expect(outcome).to_have_text(f"The server now hands out another script: {other_hash}")
    page.unroute_all()
    page.route("**/client/*.js", lambda route: route.abort())
    button.click()
    expect(outcome).to_have_text("The server is out of reach just now.")


def test_the_browser_runs_no_script_with_another_byte(page: Page, link: str) -> None:
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    # The smallest lie: one more of all words keeps the answer as it is.
    other = script().replace("words.word() < threshold", "words.word() <=threshold")
    assert len(other) == len(script())
    assert other != script()
    page.route(
        re.compile(r"/client/[0-9a-f]{64}\.js$"),
        lambda route: route.fulfill(body=other, content_type="text/javascript"),
    )
    expect_no_form(page, link)
    assert any("integrity" in message for message in messages)


def test_the_browser_takes_no_text_with_another_byte(page: Page, link: str) -> None:
    other = catalogue("en").content.replace(b"We never get", b"We often get")
    assert other != catalogue("en").content
    page.route(
        f"**{catalogue('en').address}",
        lambda route: route.fulfill(body=other, content_type="application/json"),
    )
    expect_no_form(page, link)


def expect_no_form(page: Page, link: str) -> None:
    page.goto(link)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("status")).to_contain_text("a script of this page is blocked")
    assert page.locator("form, input, button, fieldset").count() == 0


def test_the_browser_applies_no_style_with_another_byte(page: Page, link: str) -> None:
    brand = page.locator(".brand")
    for changed, weight in ((style(), "650"), (style().replace(": 650", ": 651"), "400")):
        html = survey_page().decode().replace(style(), changed)
        page.route("**/s/habits", partial(_serve, html))
        page.goto(link)
        assert brand.evaluate("(it) => getComputedStyle(it).fontWeight") == weight
        page.unroute_all()


def _serve(html: str, route: Route) -> None:
    route.fulfill(body=html, content_type="text/html", headers=HEADERS)


def test_a_check_asks_with_the_headers_of_the_browser(page: Page) -> None:
    """The same names in the same order, for the page and for its script."""
    seen: list[tuple[str, list[str]]] = []

    class Noting(Quiet):
        def do_GET(self) -> None:
            is_page = self.path == "/s/habits"
            seen.append(("page" if is_page else self.path[-3:], self.headers.keys()))
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if is_page else "text/javascript")
            self.end_headers()
            self.wfile.write(survey_page() if is_page else b"")

    with served_by(Noting) as url:
        page.goto(f"{url}/s/habits", wait_until="networkidle")
        theirs, seen[:] = dict(seen), []
        visit(f"{url}/s/habits", "document", "en")
        visit(f"{url}{script_file().address}", "script", "en")
    assert dict(seen) == {name: theirs[name] for name in ("page", ".js")}


def test_a_page_that_the_browser_saved_can_be_compared(
    page: Page, link: str, tmp_path: Path
) -> None:
    response = page.goto(link)
    assert response is not None
    saved = tmp_path / "page.html"
    saved.write_bytes(response.body())
    assert compare_saved(saved.read_bytes()).same
