"""Everybody can answer: no violation found by axe, and the keyboard is enough for the whole way."""

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.kinds import give_answers, give_other_answers
from tests.browser.respondent import (
    RECEIPT,
    card,
    choose,
    expect_receipt,
    open_survey,
    press_review,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS, KINDS

TRUTH = ["Yes", "No", "Not now"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("accessible"), HABITS, KINDS) as running:
        yield running


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme: Literal["light", "dark"] = request.param
    device = browser.new_context(viewport=PHONE, color_scheme=scheme)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def test_no_page_of_a_visit_has_a_violation(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/habits")
    page.get_by_text("The maths").click()
    page.get_by_text("Check this page", exact=True).click()
    assert violations(page) == []
    press_review(page)
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


def test_no_kind_of_question_has_a_violation_in_any_state(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/kinds")
    page.get_by_text("The maths").click()
    assert violations(page) == []
    give_answers(page)
    # Every sentence that refuses something; going back is possible with any of them.
    card(page, 6).get_by_role("spinbutton").fill("61")
    card(page, 6).get_by_role("spinbutton").blur()
    expect(card(page, 6).get_by_role("alert")).to_have_count(1)
    assert violations(page) == []
    card(page, 4).get_by_role("checkbox", name="Age").check()
    expect(card(page, 4).get_by_role("alert")).to_have_count(1)
    assert violations(page) == []
    card(page, 2).get_by_role("combobox").fill("nobody")
    card(page, 2).get_by_role("combobox").blur()
    expect(card(page, 2).get_by_role("alert")).to_have_count(1)
    assert violations(page) == []
    give_other_answers(page)
    assert violations(page) == []
    review(page)
    assert violations(page) == []
    send(page)
    expect_receipt(page)
    assert violations(page) == []


def test_every_control_can_be_used_with_the_keyboard_alone(
    page: Page, server: ServerProcess
) -> None:
    page.set_viewport_size(DESKTOP)
    open_survey(page, f"{server.url}/s/kinds")
    keys = page.keyboard
    for press in ("Tab", "Space", "Tab", "Space", "Tab"):
        keys.press(press)
    keys.type("Name 120")
    # Past the radio button for silence to the check-boxes, each a stop of its own.
    for press in ("Tab", "Tab", "Space", *["Tab"] * 8, "Space"):
        keys.press(press)
    expect(card(page, 4).get_by_role("checkbox", name="Money")).to_be_checked()
    for press in (*["Tab"] * 9, "Space", "ArrowRight", "Tab"):
        keys.press(press)
    expect(card(page, 5).get_by_role("radio", name="1", exact=True)).to_be_checked()
    keys.type("12.5")
    for press in ("Tab", "Space", "Tab", "ArrowDown", "Tab", "Tab", "Enter"):
        keys.press(press)
    expect(page.get_by_role("heading", level=1)).to_have_text("Before anything is sent")


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
    page.set_viewport_size(DESKTOP)
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
    group = card(page, 2)
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
    page.set_viewport_size(DESKTOP)
    open_survey(page, f"{server.url}/s/habits")
    for _ in range(5):
        page.keyboard.press("Tab")
        outline = page.evaluate(
            """() => { const node = document.activeElement;
            const shown = node.closest(".choice") ?? node;
            return parseFloat(getComputedStyle(shown).outlineWidth); }"""
        )
        assert outline >= 3
