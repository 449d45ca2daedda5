"""Kept answers are gone when they are sent, unwanted, a day old, or for another version."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from client.authoring.draft.survey import build_survey
from client.core.primitives.words import secure_hex
from tests.browser.keeping import box, expect_on_device, keep, note, on_device
from tests.browser.kinds import checked
from tests.browser.respondent import (
    answer,
    card,
    expect_receipt,
    open_survey,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS, KINDS

TRUTH = ["Yes", "No", "This year"]
TRUE_ANSWERS = {"asleep": 1, "blame": 0, "quit": 1}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("forgetting"), HABITS, KINDS) as running:
        yield running


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/habits"


def test_sending_removes_the_answers_before_anything_is_sent(
    page: Page, context: BrowserContext, link: str
) -> None:
    keep(page, link, TRUTH)
    review(page)
    expect_on_device(page, TRUE_ANSWERS)
    context.set_offline(True)
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your answers have not been sent yet")
    assert on_device(page) == {}
    context.set_offline(False)
    expect_receipt(page)
    page.reload()
    expect_receipt(page)
    assert on_device(page) == {}


def test_taking_the_tick_away_removes_them_and_leaves_the_page_as_it_is(
    page: Page, link: str
) -> None:
    keep(page, link, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    box(page).uncheck()
    expect_on_device(page)
    expect(page.locator(".progress")).to_have_text("3 of 3 answered")
    card(page, 0).get_by_role("radio", name="No").check()
    expect_on_device(page)


def test_the_button_forgets_everything_at_once(page: Page, link: str) -> None:
    keep(page, link, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    page.reload()
    page.get_by_role("button", name="Forget them").click()
    expect(note(page)).to_have_count(0)
    expect(box(page)).not_to_be_checked()
    expect(page.locator(".progress")).to_have_text("0 of 3 answered")
    assert page.locator("input:checked").count() == 0
    assert on_device(page) == {}


@pytest.mark.parametrize(("hours", "survive"), [(23, True), (25, False)])
def test_after_a_day_the_next_visit_to_any_survey_removes_them(
    page: Page, server: ServerProcess, link: str, hours: int, survive: bool
) -> None:
    keep(page, link, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(hours=hours))
    open_survey(page, f"{server.url}/s/kinds")
    expect_on_device(page, *[TRUE_ANSWERS] * survive)
    open_survey(page, link)
    expect(note(page)).to_have_count(int(survive))
    assert checked(card(page, 0)) == ["Yes"] * survive


def test_another_version_gets_nothing_and_removes_what_was_kept(
    page: Page, server: ServerProcess
) -> None:
    draft = {**HABITS, "slug": f"s{secure_hex(1)}"}
    link = f"{server.url}/s/{server.publish(draft)}"
    keep(page, link, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    server.publish({**draft, "title": "Changed"}, new_version=True)
    open_survey(page, link)
    expect(note(page)).to_have_count(0)
    expect(box(page)).not_to_be_checked()
    assert page.locator("input:checked").count() == 0
    assert on_device(page) == {}


def test_a_version_that_comes_while_answering_is_kept_in_place_of_the_old_one(
    page: Page, server: ServerProcess
) -> None:
    draft = {**HABITS, "slug": f"s{secure_hex(1)}"}
    keep(page, f"{server.url}/s/{server.publish(draft)}", TRUTH)
    review(page)
    asleep, *others = HABITS["questions"]
    changed = {**draft, "questions": [{**asleep, "prompt": "Asleep?"}, *others]}
    server.publish(changed, new_version=True)
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("This survey was changed")
    expect(box(page)).to_be_checked()
    expect_on_device(page, {"blame": 0, "quit": 1})
    (name,) = on_device(page)
    assert not name.endswith(build_survey(draft).fingerprint)


def test_a_tab_that_goes_on_after_another_has_sent_keeps_nothing(
    context: BrowserContext, link: str
) -> None:
    first, second = context.new_page(), context.new_page()
    keep(first, link, TRUTH)
    expect_on_device(first, TRUE_ANSWERS)
    answer(second, link, TRUTH)
    first.bring_to_front()
    card(first, 0).get_by_role("radio", name="No").check()
    expect(box(first)).not_to_be_checked()
    assert on_device(first) == {}


@pytest.mark.parametrize("text", ['{"asleep":', '{"asleep":2}', '{"asleep":[1]}', "null", "7"])
def test_what_cannot_be_read_is_no_answer(page: Page, link: str, text: str) -> None:
    keep(page, link, TRUTH)
    expect_on_device(page, TRUE_ANSWERS)
    page.evaluate(
        """async (text) => {
          const root = await navigator.storage.getDirectory();
          for await (const file of (await root.getDirectoryHandle("candor-unsent")).values()) {
            const writable = await file.createWritable();
            await writable.write(text);
            await writable.close();
          }
        }""",
        text,
    )
    open_survey(page, link)
    expect(note(page)).to_have_count(0)
    assert page.locator(".question input:checked").count() == 0
