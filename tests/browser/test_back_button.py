"""The browser's Back button: one step back, a question before answers are lost, and no trace."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.respondent import (
    answer,
    card,
    choose,
    expect_receipt,
    open_survey,
    press_back,
    review,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import FOLLOW_UP, HABITS

TRUTH = ["Yes", "No", "This year"]
BEFORE = "about:blank#before"
LEAVE = "Leave this survey? Nothing has been sent, and your answers will be gone."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("back"), HABITS, FOLLOW_UP) as running:
        yield running


class Asked:
    """What the browser asks, and the reply that it gets."""

    def __init__(self, page: Page) -> None:
        self.questions: list[str] = []
        self.leaves = False
        page.on("dialog", self._reply)

    def _reply(self, dialog: Dialog) -> None:
        self.questions.append(dialog.message)
        (dialog.accept if self.leaves else dialog.dismiss)()

    def expect_once(self, page: Page) -> None:
        """Wait until the browser has asked whether to leave, and see that it asks only once."""
        for _ in range(600):
            page.wait_for_timeout(100)
            if self.questions:
                break
        assert self.questions == [LEAVE]


def begin(page: Page, server: ServerProcess, slug: str = "habits") -> Asked:
    page.goto(BEFORE)
    open_survey(page, f"{server.url}/s/{slug}")
    return Asked(page)


def expect_question(page: Page, position: int) -> None:
    expect(page.locator(".question:visible .position")).to_have_text([f"Question {position} of 3"])


def test_on_a_phone_it_goes_one_question_back_and_asks_only_at_the_first(
    page: Page, server: ServerProcess
) -> None:
    asked = begin(page, server)
    choose(page, TRUTH)
    review(page)
    for position in (3, 2, 1):
        press_back(page)
        expect_question(page, position)
    assert asked.questions == []
    press_back(page)
    asked.expect_once(page)
    # Who stays has lost nothing, and the button works as before.
    for number, label in enumerate(TRUTH):
        expect(card(page, number).get_by_role("radio", name=label, exact=True)).to_be_checked()
    press_back(page)
    expect_question(page, 2)
    press_back(page)
    expect_question(page, 1)
    asked.leaves = True
    press_back(page)
    expect(page).to_have_url(BEFORE)
    # Once is enough.
    assert asked.questions == [LEAVE, LEAVE]
    page.go_forward()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    assert page.locator("input:checked").count() == 0


def test_on_a_desktop_it_leads_from_the_review_to_the_questions(
    browser: Browser, server: ServerProcess
) -> None:
    page = browser.new_page(viewport=DESKTOP)
    asked = begin(page, server)
    choose(page, TRUTH)
    review(page)
    press_back(page)
    expect(page.locator("input:checked")).to_have_count(3)
    assert asked.questions == []
    press_back(page)
    asked.expect_once(page)
    expect(page.locator("input:checked")).to_have_count(3)
    page.close()


def test_nobody_is_asked_where_nothing_would_be_lost(page: Page, server: ServerProcess) -> None:
    asked = begin(page, server)
    page.get_by_role("button", name="Next").click()
    press_back(page)
    expect_question(page, 1)
    press_back(page)
    expect(page).to_have_url(BEFORE)
    assert asked.questions == []


def test_after_sending_it_leaves_and_no_answer_comes_back(
    page: Page, server: ServerProcess
) -> None:
    page.goto(BEFORE)
    answer(page, f"{server.url}/s/habits", TRUTH)
    press_back(page)
    expect(page).to_have_url(BEFORE)
    page.go_forward()
    expect_receipt(page)
    assert page.locator("fieldset.questions").count() == 0


def history_of(context: BrowserContext, page: Page) -> list[Any]:
    """All that a reader of the profile learns from the tab's history."""
    session = context.new_cdp_session(page)
    found = session.send("Page.getNavigationHistory")
    entries = [(entry["url"], entry["title"]) for entry in found["entries"]]
    return [entries, found["currentIndex"], page.evaluate("history.state")]


def test_the_history_is_the_same_whatever_is_answered(
    browser: Browser, server: ServerProcess
) -> None:
    seen: list[list[Any]] = []
    for truth in ("Yes", "No"):
        context = browser.new_context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        begin(page, server, "follow-up")
        card(page, 0).get_by_role("radio", name=truth, exact=True).check()
        stages = [history_of(context, page)]
        # With No there is no further question, and with Yes there is.
        going = page.get_by_role("button", name="Next")
        steps = 0
        while going.is_visible():
            going.click()
            steps += 1
        assert steps == int(truth == "Yes")
        stages.append(history_of(context, page))
        if steps:
            press_back(page)
            expect(page.locator(".question.current .position")).to_contain_text("Question 1")
        page.wait_for_timeout(200)
        stages.append(history_of(context, page))
        seen.append(stages)
        context.close()
    assert seen[0] == seen[1]
    assert len({str(stage) for stage in seen[0]}) == 1
