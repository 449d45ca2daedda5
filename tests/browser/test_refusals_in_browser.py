"""The page refuses rather than to protect less: no form is drawn and nothing is sent."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from client.authoring.draft.survey import build_survey
from client.core.primitives import canonical
from tests.browser.chromium import launch_options
from tests.browser.respondent import all_kept, answer, choose, open_survey, press_review
from tests.browser.server_process import ServerProcess
from tests.browser.surveys import HABITS

TRUTH = ["Yes", "No", "Not now"]
REFUSED = "We stopped before asking you anything"
SURVEY = build_survey(HABITS)
DOCUMENT: dict[str, Any] = json.loads(SURVEY.document)


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/habits"


class Asked:
    """What a device asks of the server besides reading."""

    def __init__(self, context: BrowserContext) -> None:
        self.writing: list[str] = []
        context.on("request", self._note)

    def _note(self, request: Request) -> None:
        if request.method != "GET":
            self.writing.append(f"{request.method} {request.url}")


@pytest.fixture
def asked(context: BrowserContext) -> Asked:
    return Asked(context)


def expect_refusal(page: Page, asked: Asked, *texts: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(REFUSED)
    for text in (*texts, "Nothing was sent."):
        expect(page.get_by_text(text)).to_be_visible()
    assert page.locator("input, button, fieldset").count() == 0
    assert asked.writing == []


def serve_document(page: Page, document: bytes) -> None:
    """A server, or somebody in between, hands out another document."""

    def tamper(route: Route) -> None:
        route.fulfill(body=document, content_type="application/json")

    page.route("**/document.json", tamper)


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    document = json.loads(SURVEY.document)
    change(document)
    return canonical.canonical(document)


def test_a_document_that_leaks_more_than_it_shows_is_refused_with_both_numbers(
    page: Page, link: str, asked: Asked
) -> None:
    # The widespread misreading "keep with probability 1/2 + alpha" at epsilon 1.
    leaking = changed(lambda d: d["questions"][0]["mechanism"].update(threshold=4132261725))
    serve_document(page, leaking)
    page.goto(link)
    expect_refusal(
        page, asked, "leak more than it says: question asleep shows epsilon 1 but delivers 3.2346"
    )


def test_one_unit_of_the_threshold_too_many_is_refused(page: Page, link: str, asked: Asked) -> None:
    too_many = DOCUMENT["questions"][0]["mechanism"]["threshold"] + 1
    serve_document(
        page, changed(lambda d: d["questions"][0]["mechanism"].update(threshold=too_many))
    )
    page.goto(link)
    expect_refusal(page, asked, "leak more than it says")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda d: d.update(total_epsilon="1"), "wrong_total"),
        (lambda d: d.update(candor=1), "unknown_format"),
        (lambda d: d.update(tracking="on"), "unknown_key"),
        (lambda d: d["questions"][0].update(kind="open_text"), "unknown_kind"),
    ],
    ids=["wrong total", "unknown format", "unknown key", "unknown kind"],
)
def test_a_document_that_is_not_what_it_should_be_is_refused(
    page: Page,
    link: str,
    asked: Asked,
    change: Callable[[dict[str, Any]], object],
    code: str,
) -> None:
    serve_document(page, changed(change))
    page.goto(link)
    expect_refusal(page, asked, "not what it should be", f"{code}: ")


def test_a_document_of_another_survey_is_refused(page: Page, link: str, asked: Asked) -> None:
    serve_document(page, changed(lambda d: d.update(slug="another")))
    page.goto(link)
    expect_refusal(page, asked, "questions of another survey (another)")


@pytest.mark.parametrize("fragment", ["0" * 64, SURVEY.fingerprint[:-1], "top"])
def test_a_link_with_another_fingerprint_is_refused(
    page: Page, link: str, asked: Asked, fragment: str
) -> None:
    page.goto(f"{link}#{fragment}")
    expect_refusal(page, asked, "fingerprint in your link does not match")


def test_a_harmless_looking_change_is_refused_when_the_link_pins_the_document(
    page: Page, link: str, asked: Asked
) -> None:
    serve_document(page, SURVEY.document.replace(b"asleep at work", b"asleep at Work"))
    page.goto(f"{link}#{SURVEY.fingerprint}")
    expect_refusal(page, asked, "fingerprint in your link does not match")


MISSING = {
    "generator": ("delete Crypto.prototype.getRandomValues", "secure random number generator"),
    "hash": (
        "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })",
        "secure random number generator",
    ),
    "storage": (
        "IDBFactory.prototype.open = () => { throw new Error('forbidden') }",
        "does not let the page keep what it will send",
    ),
    "locks": (
        "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })",
        "does not let the page keep what it will send",
    ),
}


@pytest.mark.parametrize("missing", MISSING)
def test_a_browser_that_lacks_a_protection_gets_no_form(
    page: Page, link: str, asked: Asked, missing: str
) -> None:
    script, message = MISSING[missing]
    page.add_init_script(script)
    page.goto(link)
    expect_refusal(page, asked, message)


def test_a_generator_that_fails_when_it_is_needed_sends_nothing(
    page: Page, link: str, asked: Asked
) -> None:
    page.add_init_script("Crypto.prototype.getRandomValues = () => { throw new Error('empty') }")
    open_survey(page, link)
    choose(page, TRUTH)
    press_review(page)
    expect(page.get_by_text("Something went wrong in this page: Error: empty")).to_be_visible()
    assert [line for line in asked.writing if line.endswith("/reports")] == []
    assert all_kept(page) == []


def test_neither_the_weak_generator_nor_the_clock_is_used(page: Page, link: str) -> None:
    page.add_init_script(
        """const thrower = () => { throw new Error("not to be used") };
        Math.random = thrower; Date.now = thrower; performance.now = thrower;
        globalThis.Date = new Proxy(Date, { construct: thrower, apply: thrower });"""
    )
    answer(page, link, TRUTH)


def test_a_page_without_a_secure_connection_gets_no_form(
    browser: Browser, server: ServerProcess
) -> None:
    options = launch_options()
    options["args"].append("--host-resolver-rules=MAP candor.test 127.0.0.1")
    plain = browser.browser_type.launch(**options)
    device = plain.new_context()
    asked = Asked(device)
    page = device.new_page()
    page.goto(f"http://candor.test:{server.port}/s/habits")
    expect_refusal(page, asked, "was not loaded over a secure connection")
    plain.close()


def test_without_scripts_there_is_no_form_and_the_page_says_why(
    browser: Browser, link: str
) -> None:
    device = browser.new_context(java_script_enabled=False)
    asked = Asked(device)
    page = device.new_page()
    page.goto(link)
    expect(page.locator("noscript h1")).to_have_text("This survey needs JavaScript")
    expect(page.locator("noscript p")).to_contain_text("Without it nothing can be sent")
    expect(page.get_by_role("status")).to_be_hidden()
    assert page.locator("form, input, button, select, textarea, fieldset").count() == 0
    page.keyboard.press("Enter")
    assert asked.writing == []
    device.close()


def test_a_blocked_script_leaves_no_form(page: Page, link: str, asked: Asked) -> None:
    page.route("**/client/*.js", lambda route: route.abort())
    page.goto(link)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("status")).to_contain_text("a script of this page is blocked")
    assert page.locator("form, input, button, fieldset").count() == 0
    assert asked.writing == []
