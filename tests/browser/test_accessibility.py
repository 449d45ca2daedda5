"""Everybody can answer: no violation found by axe, and the keyboard is enough for the whole way."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE
from tests.browser.respondent import RECEIPT, choose, expect_receipt, open_survey, review, send
from tests.browser.server_process import ServerProcess

TRUTH = ["Yes", "No", "Not now"]


def violations(page: Page) -> list[dict[str, Any]]:
    found = Axe().run(page).response["violations"]
    return [
        {"rule": item["id"], "where": [node["target"] for node in item["nodes"]]} for item in found
    ]


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme: Literal["light", "dark"] = request.param
    device = browser.new_context(viewport=PHONE, color_scheme=scheme)
    device.set_default_timeout(10_000)
    yield device.new_page()
    device.close()


def test_no_page_of_a_visit_has_a_violation(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/habits")
    page.get_by_text("The maths").click()
    assert violations(page) == []
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("alert")).to_contain_text("Please answer 3 more questions")
    assert violations(page) == []
    choose(page, TRUTH)
    assert violations(page) == []
    review(page)
    page.get_by_text("The exact message").click()
    assert violations(page) == []
    send(page)
    expect_receipt(page)
    assert violations(page) == []
    page.get_by_role("link", name="See the results").click()
    page.wait_for_load_state()
    assert violations(page) == []


def test_no_message_has_a_violation(page: Page, server: ServerProcess) -> None:
    page.goto(f"{server.url}/s/nothing-here")
    assert violations(page) == []
    page.goto(f"{server.url}/s/habits#wrong")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert violations(page) == []


def test_axe_would_find_a_fault(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/habits")
    page.evaluate("document.querySelector('svg').removeAttribute('aria-labelledby')")
    assert [item["rule"] for item in violations(page)] == ["svg-img-alt"]


def test_the_keyboard_alone_is_enough(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/habits")
    keyboard = page.keyboard
    groups = page.get_by_role("radiogroup").all()

    keyboard.press("Tab")
    expect(groups[0].get_by_role("radio", name="No")).to_be_focused()
    keyboard.press("ArrowDown")
    expect(groups[0].get_by_role("radio", name="Yes")).to_be_focused()
    expect(groups[0].get_by_role("radio", name="Yes")).to_be_checked()
    expect(groups[0].get_by_role("radio", name="No")).not_to_be_checked()
    keyboard.press("ArrowRight")
    expect(groups[0].get_by_role("radio", name="No")).to_be_checked()
    keyboard.press("ArrowUp")
    expect(groups[0].get_by_role("radio", name="Yes")).to_be_checked()

    # One stop per group, as with radio buttons that have a name.
    keyboard.press("Tab")
    expect(groups[1].get_by_role("radio", name="No")).to_be_focused()
    keyboard.press("Space")
    expect(groups[1].get_by_role("radio", name="No")).to_be_checked()
    keyboard.press("Tab")
    keyboard.press("Space")
    keyboard.press("Shift+Tab")
    keyboard.press("Shift+Tab")
    expect(groups[0].get_by_role("radio", name="Yes")).to_be_focused()
    for _ in range(3):
        keyboard.press("Tab")
    expect(page.get_by_role("button", name="Review")).to_be_focused()
    keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    for _ in range(2):
        keyboard.press("Tab")
    expect(page.get_by_role("button", name="Send")).to_be_focused()
    keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(RECEIPT)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_arrow_keys_follow_the_direction_of_the_script(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/habits")
    page.evaluate("document.documentElement.dir = 'rtl'")
    group = page.get_by_role("radiogroup").last
    group.get_by_role("radio", name="Not now").focus()
    page.keyboard.press("ArrowLeft")
    expect(group.get_by_role("radio", name="This year")).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_screen_readers_hear_groups_positions_and_progress(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/habits")
    group = page.get_by_role("radiogroup", name="Question 1 of 3 Have you fallen asleep at work?")
    expect(group).to_have_count(1)
    positions = [
        (radio.get_attribute("aria-posinset"), radio.get_attribute("aria-setsize"))
        for radio in group.get_by_role("radio").all()
    ]
    assert positions == [("1", "2"), ("2", "2")]
    group.get_by_role("radio", name="Yes").check()
    expect(page.get_by_role("status")).to_have_text("1 of 3 answered")


def test_focus_is_visible_on_everything_that_takes_it(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/habits")
    for _ in range(5):
        page.keyboard.press("Tab")
        outline = page.evaluate(
            """() => { const node = document.activeElement;
            const shown = node.closest(".choice") ?? node;
            return parseFloat(getComputedStyle(shown).outlineWidth); }"""
        )
        assert outline >= 3
