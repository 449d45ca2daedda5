"""Keep my unsent answers on this device: only if somebody asks for it, and they come back."""

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, ViewportSize, expect

from client.authoring.draft.survey import build_survey
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.keeping import (
    FILES,
    PATIENCE_SECONDS,
    box,
    expect_on_device,
    keep,
    note,
    on_device,
)
from tests.browser.kinds import (
    ANSWERS,
    OTHER_ANSWERS,
    checked,
    give_answers,
    give_other_answers,
    reviewed,
)
from tests.browser.respondent import (
    HandIns,
    all_kept,
    answer,
    card,
    choose,
    expect_receipt,
    open_survey,
    ready_to_send,
    review,
    send,
    words_in,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import FOLLOW_UP, HABITS, KINDS, SAMPLED

TRUTH = ["Yes", "No", "This year"]
TRUE_ANSWERS = {"asleep": 1, "blame": 0, "quit": 1}
# Everywhere else where a page can keep something.
ELSEWHERE = """async () => [
  ...[localStorage, sessionStorage].map(Object.entries), document.cookie, await caches.keys(),
  (await indexedDB.databases()).map(({ name }) => name), location.href, history.state]"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("keeping"), HABITS, KINDS, FOLLOW_UP, SAMPLED) as running:
        yield running


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/habits"


def test_without_the_tick_nothing_is_kept_anywhere(page: Page, link: str) -> None:
    open_survey(page, link)
    before = page.evaluate(ELSEWHERE)
    expect(box(page)).not_to_be_checked()
    expect(box(page)).to_have_attribute("autocomplete", "off")
    choose(page, TRUTH)
    review(page)
    assert page.evaluate(FILES) == {}
    # Only the mark of the entry for the Back button has been added.
    assert page.evaluate(ELSEWHERE) == [*before[:-1], {"isSpare": True}]
    page.reload()
    expect(box(page)).not_to_be_checked()
    expect(note(page)).to_have_count(0)
    assert page.locator("input:checked").count() == 0


@pytest.mark.parametrize(
    ("give", "answers"), [(give_answers, ANSWERS), (give_other_answers, OTHER_ANSWERS)]
)
def test_every_kind_of_answer_comes_back(
    page: Page, server: ServerProcess, give: Callable[[Page], None], answers: dict[str, Any]
) -> None:
    open_survey(page, f"{server.url}/s/kinds")
    give(page)
    # What was answered before the tick is kept too.
    box(page).check()
    expect_on_device(page, answers)
    review(page)
    chosen = [row[:2] for row in reviewed(page)]
    page.reload()
    expect(note(page)).to_be_visible()
    expect(box(page)).to_be_checked()
    review(page)
    assert [row[:2] for row in reviewed(page)] == chosen


def test_the_file_holds_the_answers_and_nothing_else(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/kinds")
    box(page).check()
    expect_on_device(page, {})
    give_answers(page)
    expect_on_device(page, ANSWERS)
    name = f"survey.kinds.{build_survey(KINDS).fingerprint}"
    assert page.evaluate(FILES).keys() == {"candor-unsent"}
    assert on_device(page).keys() == {name}


def test_keeping_asks_nothing_of_the_network(page: Page, link: str) -> None:
    open_survey(page, link)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    box(page).check()
    choose(page, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    box(page).uncheck()
    expect_on_device(page)
    assert requests == []


def expect_place(page: Page, id: str) -> None:
    """Wait until the file says that somebody is at this question."""
    end = time.monotonic() + PATIENCE_SECONDS
    found = ""
    while found != id and time.monotonic() < end:
        (text,) = page.evaluate(FILES)["candor-unsent"].values()
        found = json.loads(text)["at"]
    assert found == id


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_one_returns_to_the_question_where_one_was(
    page: Page, link: str, size: ViewportSize
) -> None:
    page.set_viewport_size(size)
    open_survey(page, link)
    box(page).check()
    card(page, 0).get_by_role("radio", name="Yes").check()
    card(page, 1).get_by_role("radio").first.focus()
    expect_on_device(page, {"asleep": 1})
    expect_place(page, "blame")
    page.reload()
    expect(note(page)).to_be_in_viewport()
    expect(page.locator(".question").nth(1)).to_be_in_viewport()
    expect(page.locator("legend:focus")).to_contain_text("Question 2 of 3")
    # Whoever forgets them begins at the beginning.
    page.get_by_role("button", name="Forget them").click()
    expect(note(page)).to_have_count(0)
    expect(page.locator(".question").first.get_by_role("radio").first).to_be_focused()
    assert page.locator("input:checked").count() == 0


def test_only_questions_that_are_asked_are_kept_and_given_back(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/follow-up")
    box(page).check()
    card(page, 0).get_by_role("radio", name="Yes").check()
    card(page, 1).get_by_role("checkbox", name="Snus").check()
    expect_on_device(page, {"smokes": 1, "kinds": [1]})
    card(page, 0).get_by_role("radio", name="No").check()
    expect_on_device(page, {"smokes": 0})
    # Another visit may be asked other questions.
    for _ in range(4):
        open_survey(page, f"{server.url}/s/sampled")
        box(page).check()
        for number in range(2):
            card(page, number).get_by_role("radio", name="Yes").check()
    review(page)
    assert [row[1] for row in reviewed(page)] == ["Yes", "Yes"]


def test_nobody_is_asked_to_stay_when_nothing_would_be_lost(page: Page, link: str) -> None:
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    keep(page, link, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    page.goto("about:blank")
    assert asked == []
    page.go_back()
    expect(note(page)).to_be_visible()
    box(page).uncheck()
    page.goto("about:blank")
    assert asked == ["beforeunload"]


def test_a_browser_that_cannot_remove_a_file_is_offered_nothing(page: Page, link: str) -> None:
    page.add_init_script("delete FileSystemFileHandle.prototype.createWritable")
    open_survey(page, link)
    expect(box(page)).to_have_count(0)
    page.add_init_script("StorageManager.prototype.getDirectory = () => Promise.reject(Error())")
    answer(page, link, TRUTH)


def test_a_disk_that_takes_no_more_is_told(page: Page, link: str) -> None:
    open_survey(page, link)
    box(page).check()
    expect_on_device(page, {})
    page.evaluate(
        """() => { FileSystemFileHandle.prototype.createWritable = () =>
        Promise.reject(new DOMException("full", "QuotaExceededError")) }"""
    )
    card(page, 0).get_by_role("radio", name="Yes").check()
    expect(box(page)).not_to_be_checked()
    expect(page.get_by_role("alert")).to_have_text("This browser could not keep your answers.")
    assert checked(card(page, 0)) == ["Yes"]
    assert on_device(page) == {}


def test_the_rehearsal_of_a_survey_has_a_place_of_its_own(
    page: Page, server: ServerProcess, link: str
) -> None:
    server.rehearse({**HABITS, "title": "A rehearsal"})
    keep(page, link, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    keep(page, f"{server.url}/t/habits", ["No", "No", "Not now"])
    expect_on_device(page, TRUE_ANSWERS, {"asleep": 0, "blame": 0, "quit": 0})
    review(page)
    send(page)
    expect_receipt(page)
    expect_on_device(page, TRUE_ANSWERS)


def test_the_box_and_the_note_are_for_everybody_and_leave_the_top_short(
    page: Page, context: BrowserContext, link: str
) -> None:
    hand_ins = HandIns(context)
    keep(page, link, TRUTH)
    explained = re.compile("deleted when you send.* whoever uses this browser can read them")
    expect(box(page)).to_have_accessible_description(explained)
    assert violations(page) == []
    expect_on_device(page, TRUE_ANSWERS)
    card(page, 0)
    expect_place(page, "asleep")
    page.reload()
    expect(note(page)).to_be_in_viewport()
    assert violations(page) == []
    top = [page.locator(place).inner_text() for place in (".restored", "header.top")]
    assert words_in(" ".join(top)) <= 120
    page.get_by_role("button", name="Next").click()
    expect(note(page)).to_have_count(0)
    ready_to_send(page, link, TRUTH)
    send(page)
    expect_receipt(page)
    assert len(hand_ins.sent) == len(all_kept(page)) == 1
