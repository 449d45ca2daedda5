"""A narrow screen shows one question at a time, a wide one all of them: one page, one markup."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.kinds import checked, give_answers, radio
from tests.browser.respondent import RECEIPT, card, open_survey
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import KINDS

SKIPPED: dict[str, Any] = {
    "slug": "skipped",
    "title": "A question in the middle that may not apply",
    "delete_on": "2999-12-31",
    "questions": [
        {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"},
        {
            "id": "which",
            "kind": "any_of",
            "prompt": "What do you smoke?",
            "options": ["Cigarettes", "A pipe"],
            "epsilon": "1",
            "show_if": {"question": "smokes", "is": ["Yes"]},
        },
        {"id": "drinks", "prompt": "Do you drink?", "epsilon": "1"},
    ],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("screens"), KINDS, SKIPPED) as running:
        yield running


@pytest.fixture(scope="module")
def device(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture(scope="module")
def shared(device: BrowserContext) -> Page:
    return device.new_page()


@pytest.fixture
def page(shared: Page, server: ServerProcess) -> Page:
    """The survey with every kind of question, on a phone, with nothing answered."""
    shared.set_viewport_size(PHONE)
    open_survey(shared, f"{server.url}/s/kinds")
    return shared


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def on_screen(page: Page) -> list[str]:
    """The positions of the questions that can be seen."""
    return page.locator(".position:visible").all_inner_texts()


def wander(page: Page, name: str, steps: int) -> None:
    for _ in range(steps):
        press(page, name)


def test_the_width_alone_decides_and_the_markup_is_the_same(page: Page) -> None:
    markup = page.locator("main").inner_html()
    heading = page.get_by_role("heading", name="Who can see your true answer?")
    assert on_screen(page) == ["Question 1 of 8"]
    expect(heading).to_be_visible()
    page.set_viewport_size(DESKTOP)
    assert page.locator("main").inner_html() == markup
    assert on_screen(page) == [f"Question {position} of 8" for position in range(1, 9)]
    expect(page.get_by_role("button", name="Review")).to_be_visible()
    for name in ("Next", "Back"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.set_viewport_size(PHONE)
    press(page, "Next")
    expect(heading).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text(KINDS["title"])


def test_every_step_says_where_it_is_and_moves_the_focus_there(page: Page) -> None:
    bar = page.get_by_role("progressbar")
    for position in range(1, 9):
        expect(bar).to_have_accessible_name(f"Question {position} of 8")
        assert bar.evaluate("node => [node.value, node.max]") == [position, 8]
        assert on_screen(page) == [f"Question {position} of 8"]
        expect(page.get_by_role("button", name="Back")).to_have_count(int(position > 1))
        expect(page.get_by_role("button", name="Next")).to_have_count(int(position < 8))
        expect(page.get_by_role("button", name="Review")).to_have_count(int(position == 8))
        if position < 8:
            press(page, "Next")
            expect(page.locator("legend:focus")).to_contain_text(f"Question {position + 1} of 8")
            assert page.locator("legend:focus").evaluate("n => n.getBoundingClientRect().top") >= 0


def test_going_back_keeps_what_was_answered(page: Page) -> None:
    give_answers(page)
    wander(page, "Back", 7)
    assert checked(card(page, 0)) == ["Yes"]
    expect(page.get_by_text("8 of 8 answered")).to_be_visible()
    wander(page, "Next", 5)
    assert checked(card(page, 5)) == ["7"]


def test_turning_the_phone_keeps_answers_and_place(page: Page) -> None:
    give_answers(page)
    card(page, 3)
    page.set_viewport_size(DESKTOP)
    page.locator(".question").nth(6).get_by_role("spinbutton").focus()
    page.set_viewport_size(PHONE)
    assert on_screen(page) == ["Question 7 of 8"]
    expect(page.get_by_role("spinbutton")).to_have_value("3.5")
    expect(page.get_by_role("spinbutton")).to_be_focused()
    expect(page.get_by_text("8 of 8 answered")).to_be_visible()


def test_what_is_no_answer_is_not_left_behind(page: Page) -> None:
    field = card(page, 6).get_by_role("spinbutton")
    field.fill("61")
    press(page, "Next")
    assert on_screen(page) == ["Question 7 of 8"]
    expect(page.get_by_role("alert")).to_have_text("Please type a number from 0 to 60.")
    expect(field).to_be_focused()
    field.fill("60")
    press(page, "Next")
    assert on_screen(page) == ["Question 8 of 8"]


def test_the_last_look_leads_to_the_screen_of_what_is_missing_and_says_so_once(page: Page) -> None:
    give_answers(page)
    card(page, 3).get_by_role("checkbox", name="Asthma").uncheck()
    card(page, 3).get_by_role("checkbox", name="Migraine").uncheck()
    card(page, 7)
    press(page, "Review")
    assert on_screen(page) == ["Question 4 of 8"]
    sentence = "Please answer question 4: Which of these do you have?"
    expect(page.get_by_role("alert")).to_have_text([sentence])
    expect(card(page, 3).get_by_role("checkbox", name="Asthma")).to_be_focused()


def test_a_question_that_does_not_apply_is_stepped_over_without_a_trace(
    shared: Page, server: ServerProcess
) -> None:
    page = shared
    page.set_viewport_size(PHONE)
    open_survey(page, f"{server.url}/s/skipped")
    radio(card(page, 0), "Yes")
    press(page, "Next")
    expect(page.locator(".prompt:visible")).to_have_text("What do you smoke?")
    assert on_screen(page) == ["Question 2 of 3"]
    press(page, "Back")
    radio(card(page, 0), "No")
    press(page, "Next")
    expect(page.locator(".prompt:visible")).to_have_text("Do you drink?")
    assert on_screen(page) == ["Question 2 of 2"]
    expect(page.get_by_role("progressbar")).to_have_accessible_name("Question 2 of 2")
    press(page, "Review")
    expect(page.get_by_role("alert")).to_have_text("Please answer question 2: Do you drink?")
    press(page, "Back")
    assert on_screen(page) == ["Question 1 of 2"]


def test_steps_leave_nothing_in_history_address_storage_or_on_the_wire(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    state = """async () => [location.href, history.length, history.state, document.title,
        localStorage.length, sessionStorage.length, document.cookie]"""
    give_answers(page)
    before = page.evaluate(state)
    wander(page, "Back", 3)
    wander(page, "Next", 3)
    press(page, "Review")
    expect(page.get_by_role("heading", level=1)).to_have_text("Before anything is sent")
    assert page.evaluate(state) == before
    assert requests == []


def test_a_phone_with_keys_alone_goes_the_whole_way_through_every_kind(
    context: BrowserContext, server: ServerProcess
) -> None:
    page = context.new_page()
    open_survey(page, f"{server.url}/s/kinds")
    keys = page.keyboard

    def type_and_go(*presses: str) -> None:
        for key in presses:
            if len(key) > 1 or key == " ":
                keys.press(key)
            else:
                keys.type(key)

    # Yes or no: one tab stop, arrows inside it, then the button.
    type_and_go("Tab", "ArrowDown", "Tab", "Enter")
    expect(page.locator("legend:focus")).to_contain_text("Question 2 of 8")
    # Underlined, not framed: a frame would look like a field.
    style = page.locator("legend:focus").evaluate("({...getComputedStyle(document.activeElement)})")
    assert (style["outlineStyle"], style["textDecorationLine"]) == ("none", "underline")
    type_and_go("Tab", "Space", "Tab", "Enter")
    type_and_go("Tab", *"Name 120")
    # Past the radio button for silence.
    type_and_go("Tab", "Tab", "Enter")
    type_and_go("Tab", "Space", *["Tab"] * 8, "Enter")
    type_and_go("Tab", "Space", *["Tab"] * 9, "Enter")
    type_and_go("Tab", "Space", "ArrowRight", "Tab", "Enter")
    type_and_go("Tab", *"12.5", "Tab", "Enter")
    expect(page.locator("legend:focus")).to_contain_text("Question 8 of 8")
    type_and_go("Tab", "Space", "Tab", "ArrowDown", "Tab", "Tab")
    expect(page.get_by_role("button", name="Review")).to_be_focused()
    keys.press("Enter")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Before anything is sent")
    expect(heading).to_be_focused()
    type_and_go("Tab", "Tab")
    expect(page.get_by_role("button", name="Send")).to_be_focused()
    keys.press("Enter")
    expect(heading).to_have_text(RECEIPT)
    expect(heading).to_be_focused()
