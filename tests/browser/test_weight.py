"""The page is small and fast: bytes, answers until the first picture, and nothing moves."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from client.browser.bundle import catalogue, icon, script_file, survey_page
from client.browser.headers import HEADERS
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS, KINDS
from tests.browser.weighing import WATCH_SHIFTS, painted, shifts, weigh, with_scroll_bars
from tests.browser.wire import Wire

MOST_BYTES = 60_000
SIZES = {"phone": PHONE, "desktop": DESKTOP}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("weight"), HABITS, KINDS) as running:
        yield running


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Browser]:
    """A browser whose scroll bars take room."""
    running = with_scroll_bars(browser)
    yield running
    running.close()


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> ViewportSize:
    return SIZES[str(request.param)]


def test_a_survey_of_every_kind_weighs_less_than_the_limit_and_nothing_moves(
    window: Browser, server: ServerProcess, size: ViewportSize
) -> None:
    opening = weigh(window, f"{server.url}/s/kinds", size)
    assert opening.weights.keys() == {
        "GET /s/kinds",
        "GET /s/kinds/document.json",
        "POST /api/surveys/kinds/tickets",
        *(f"GET {file.address}" for file in (script_file(), catalogue("en"), icon())),
    }
    # What is counted is what was sent: the compressed bytes and some headers.
    assert 20_000 < opening.weights[f"GET {script_file().address}"] < len(script_file().content) / 3
    assert opening.total < MOST_BYTES
    assert opening.shifts == []


def press_next_until(page: Page, wanted: Locator) -> None:
    """With the pointer: what follows a press is not what moves on its own."""
    while not wanted.is_visible():
        page.get_by_role("button", name="Next").click()


def held_back(page: Page, wire: Wire) -> None:
    """Go there with every answer held back but the first."""
    wire.hold_all_but("/s/habits")
    page.goto(f"{wire.url}/s/habits", wait_until="commit")


def test_the_first_picture_needs_only_the_first_answer(page: Page, server: ServerProcess) -> None:
    with Wire(server.port) as wire:
        held_back(page, wire)
        assert painted(page, 20_000)
        # With its style, and while nothing else has arrived.
        weight = page.evaluate("getComputedStyle(document.querySelector('.brand')).fontWeight")
        assert weight == "650"
        assert page.evaluate("performance.getEntriesByType('resource').length") == 0
        expect(page.get_by_role("status")).to_be_visible()
        asked = {sent.path for sent in wire.take()}
        # Everything else is on its way by now, all at once.
        assert asked >= {script_file().address, catalogue("en").address}
        wire.release()
        expect(page.locator("fieldset.questions input").first).to_be_enabled()


def test_a_style_that_has_to_be_fetched_would_be_noticed(page: Page, server: ServerProcess) -> None:
    start, end = survey_page().index(b"<style>"), survey_page().index(b"</style>")
    link = b'<link rel="stylesheet" href="/client/style.css">'
    html = survey_page()[:start] + link + survey_page()[end:]
    headers = {**HEADERS, "Content-Security-Policy": "style-src 'self'"}
    page.route(
        "**/s/habits",
        lambda route: route.fulfill(body=html, content_type="text/html", headers=headers),
    )
    with Wire(server.port) as wire:
        held_back(page, wire)
        assert not painted(page, 2_000)
        wire.release()


def test_nothing_moves_on_its_own_from_the_first_picture_to_the_complaints(
    window: Browser, server: ServerProcess, size: ViewportSize
) -> None:
    device = window.new_context(viewport=size)
    page = device.new_page()
    page.add_init_script(WATCH_SHIFTS)
    with Wire(server.port) as wire:
        wire.hold_all_but("/s/kinds")
        page.goto(f"{wire.url}/s/kinds", wait_until="commit")
        # Late enough for the message that something is late.
        expect(page.get_by_role("status")).to_be_visible()
        wire.release()
        expect(page.locator("fieldset.questions input").first).to_be_enabled()
        press_next_until(page, page.get_by_role("button", name="Review"))
        page.get_by_role("button", name="Review").click()
        expect(page.get_by_role("alert")).to_contain_text("Please answer")
        drinks = page.locator(".question").nth(6)
        press_next_until(page, drinks)
        number = drinks.get_by_role("spinbutton")
        number.fill("61")
        number.press("Tab")
        expect(drinks.get_by_role("alert")).to_be_visible()
        assert shifts(page) == []
    device.close()


def test_something_that_moves_would_be_noticed(page: Page, server: ServerProcess) -> None:
    page.add_init_script(WATCH_SHIFTS)
    page.goto(f"{server.url}/s/habits")
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    assert shifts(page) == []
    page.evaluate("document.querySelector('main').prepend(document.createElement('hr'))")
    assert len(shifts(page)) == 1
