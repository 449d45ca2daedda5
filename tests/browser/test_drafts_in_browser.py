"""A draft in the browser: marked TEST on every page, answered again and again, never mixed up."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from client.authoring.draft.survey import build_survey
from tests.browser.axe import violations
from tests.browser.one_script import with_modules
from tests.browser.respondent import (
    all_kept,
    answer,
    choose,
    expect_receipt,
    open_survey,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS

TRUTH = ["Yes", "No", "Not now"]
MARK = "TEST This is a rehearsal."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("drafts"), HABITS) as running:
        running.rehearse(HABITS)
        yield running


@pytest.fixture
def draft_link(server: ServerProcess) -> str:
    return f"{server.url}/t/habits"


def expect_mark(page: Page) -> None:
    mark = page.get_by_role("complementary")
    expect(mark).to_contain_text(MARK)
    expect(mark).to_be_in_viewport()
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_of_a_test_says_so_on_top(page: Page, draft_link: str, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_survey(page, draft_link)
    expect_mark(page)
    choose(page, TRUTH)
    review(page)
    expect_mark(page)
    send(page)
    expect_receipt(page)
    expect_mark(page)
    page.get_by_role("link", name="See the results").click()
    page.wait_for_url("**/t/habits/results")
    expect_mark(page)
    assert "TEST" in page.title()
    page.goto(f"{draft_link}#wrong")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect_mark(page)
    page.goto(draft_link.replace("habits", "nowhere"))
    expect_mark(page)


def test_a_published_survey_never_shows_the_mark(page: Page, server: ServerProcess) -> None:
    link = f"{server.url}/s/habits"
    answer(page, link, TRUTH)
    for path in ("", "/results"):
        page.goto(f"{link}{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert "TEST" not in page.content()
        assert page.get_by_role("complementary").count() == 0


def test_a_device_may_test_again_but_answers_the_survey_once(
    page: Page, context: BrowserContext, server: ServerProcess, draft_link: str
) -> None:
    before = len(server.rows("habits", test=True)), len(server.rows("habits"))
    answer(page, draft_link, TRUTH)
    for _ in range(2):
        page.get_by_role("button", name="Test again").click()
        expect(page.locator("fieldset.questions input").first).to_be_enabled()
        assert page.locator("input:checked").count() == 0
        choose(page, TRUTH)
        review(page)
        send(page)
        expect_receipt(page)
    page.reload()
    expect_receipt(page)
    assert len(server.rows("habits", test=True)) == before[0] + 3
    assert len(server.rows("habits")) == before[1]

    # The test has left no receipt that the survey would take for its own, nor the reverse.
    answer(page, f"{server.url}/s/habits", TRUTH)
    assert page.get_by_role("button", name="Test again").count() == 0
    assert len(all_kept(page)) == 2
    page.reload()
    expect_receipt(page)
    assert len(server.rows("habits")) == before[1] + 1
    page.goto(draft_link)
    expect_receipt(page)
    page.get_by_role("button", name="Test again").click()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    assert len(all_kept(page)) == 1
    page.goto(f"{server.url}/s/habits")
    expect_receipt(page)


def test_the_report_of_a_survey_cannot_be_forgotten(page: Page, server: ServerProcess) -> None:
    answer(page, f"{server.url}/s/habits", TRUTH)
    program = with_modules(
        """
          const { Outbox } = modules["device/outbox.js"];
          const { readDocument, fingerprint } = modules["core/document.js"];
          const response = await fetch("/s/habits/document.json");
          const bytes = new Uint8Array(await response.arrayBuffer());
          const opened = { survey: readDocument(bytes), fingerprint: await fingerprint(bytes) };
          try { await new Outbox(opened).forgetTest(); } catch (error) { return error.code; }
        """
    )
    assert page.evaluate(program) == "not_a_test"
    assert len(all_kept(page)) == 1


@pytest.mark.parametrize("test", [False, True])
def test_a_server_that_mixes_up_a_test_and_a_survey_is_refused(
    page: Page, server: ServerProcess, test: bool
) -> None:
    other = build_survey(HABITS, version=2, test=not test)
    page.route(
        "**/document.json",
        lambda route: route.fulfill(body=other.document, content_type="application/json"),
    )
    page.goto(f"{server.url}/{'t' if test else 's'}/habits")
    expect(page.get_by_text("do not agree on whether this is a test")).to_be_visible()
    assert page.locator("input, fieldset").count() == 0


def test_a_report_that_waits_from_a_test_does_not_reach_the_survey(
    page: Page, tmp_path: Path
) -> None:
    with serving(tmp_path, HABITS) as server:
        server.rehearse(HABITS)
        open_survey(page, f"{server.url}/t/habits")
        choose(page, TRUTH)
        review(page)
        server.kill()
        send(page)
        expect(page.get_by_text("The server is out of reach just now")).to_be_visible()
        server.start()
        open_survey(page, f"{server.url}/s/habits")
        assert server.rows("habits") == server.rows("habits", test=True) == []
        page.goto(f"{server.url}/t/habits")
        expect_receipt(page)
        assert len(server.rows("habits", test=True)) == 1
        assert server.rows("habits") == []
