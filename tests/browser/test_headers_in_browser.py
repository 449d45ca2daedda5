"""What the browser itself says about our pages: one script, one style, no cookie."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Response

from client.browser.bundle import script_file, style
from client.browser.headers import FOR_EVER
from tests.browser.respondent import answer, choose, open_survey, review
from tests.browser.server_process import ServerProcess

TRUTH = ["Yes", "No", "Not now"]
PAGES = ["/s/habits", "/s/habits/results", "/s/no-such-survey"]


class Watch:
    """Everything that a page says and asks for."""

    def __init__(self, page: Page) -> None:
        self.messages: list[str] = []
        self.responses: list[Response] = []
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("response", lambda response: self.responses.append(response))


def test_a_whole_visit_breaks_no_rule_of_the_policy(page: Page, server: ServerProcess) -> None:
    watch = Watch(page)
    answer(page, f"{server.url}/s/habits", TRUTH)
    page.get_by_role("link", name="See the results").click()
    page.wait_for_load_state()
    assert watch.messages == []


def test_the_policy_is_alive_an_inline_script_does_not_run(
    page: Page, server: ServerProcess
) -> None:
    watch = Watch(page)
    open_survey(page, f"{server.url}/s/habits")
    page.evaluate(
        """() => { const script = document.createElement("script");
        script.textContent = "globalThis.ran = true"; document.body.append(script);
        document.body.setAttribute("style", "color: red"); }"""
    )
    assert page.evaluate("globalThis.ran") is None
    assert len([text for text in watch.messages if "Content Security Policy" in text]) == 2


def test_no_request_goes_to_another_host(page: Page, server: ServerProcess) -> None:
    watch = Watch(page)
    answer(page, f"{server.url}/s/habits", TRUTH)
    assert len(watch.responses) > 5
    assert all(response.url.startswith(server.url) for response in watch.responses)


def test_no_cookie_is_ever_set_and_nothing_is_kept_but_what_its_address_pins(
    page: Page, context: BrowserContext, server: ServerProcess
) -> None:
    watch = Watch(page)
    answer(page, f"{server.url}/s/habits", TRUTH)
    assert context.cookies() == []
    for response in watch.responses:
        headers = response.all_headers()
        assert "set-cookie" not in headers
        pinned = re.search(r"/client/[0-9a-f]{64}\.\w+$", response.url)
        assert headers["cache-control"] == (FOR_EVER if pinned else "no-store")
        assert "etag" not in headers


@pytest.mark.parametrize("path", PAGES)
def test_the_served_page_has_one_style_one_script_and_no_road_for_a_form(
    path: str, server: ServerProcess, page: Page
) -> None:
    response = page.request.get(f"{server.url}{path}")
    html = response.text()
    assert not re.search(r"<form|<input|\sname=\"(?!viewport|color-scheme|referrer)", html)
    assert not re.search(r"\sstyle=|\son[a-z]+=|javascript:", html)
    assert html.count("<style") == html.count(f"<style>{style()}</style>") == 1
    for tag in re.findall(r"<script[^>]*>", html):
        assert f'src="{script_file().address}" integrity="{script_file().integrity}"' in tag
    assert "form-action 'none'" in response.headers["content-security-policy"]


def test_the_drawn_page_has_no_form_no_name_and_no_inline_style(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/habits")
    expect_no_road(page)
    choose(page, TRUTH)
    review(page)
    expect_no_road(page)


def expect_no_road(page: Page) -> None:
    assert page.locator("form, [action], [style], script:not([src])").count() == 0
    assert page.locator("body [name]").count() == 0
    assert page.locator("input:not([autocomplete=off])").count() == 0


def test_two_visitors_and_two_surveys_get_identical_bytes(
    page: Page, server: ServerProcess
) -> None:
    bodies = {page.request.get(f"{server.url}/s/habits").body() for _ in range(3)}
    assert len(bodies) == 1
    assert b"Habits" not in bodies.pop()
