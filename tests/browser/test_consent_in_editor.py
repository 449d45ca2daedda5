"""Researchers write consent and closing pages, hints and headings beside a preview of them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.editor import begin, check, clean_page, editor_server, expect_saved, log_in
from tests.browser.server_process import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with editor_server(tmp_path_factory.mktemp("consent-editor")) as running:
        yield running


@pytest.fixture(params=["light on a phone", "dark on a desktop"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    with clean_page(browser, str(request.param)) as page:
        yield page


def test_the_preview_shows_the_pages_and_stays_at_the_questions(
    page: Page, server: ServerProcess
) -> None:
    log_in(page, server)
    begin(page, "A study")
    page.get_by_label("Question text").fill("Do you sleep well?")
    page.get_by_text("Consent and closing page").click()
    page.get_by_label("Consent page").fill("# Before\n\n- [fill in]\n- [x](http://example.org)")
    preview = page.frame_locator("iframe")
    expect(preview.locator(".consent h2")).to_have_text("Before")
    expect(preview.locator("input")).to_have_count(0)
    problems = page.locator("#problems")
    expect(problems).to_contain_text("Consent page: still has placeholders")
    expect(problems).to_contain_text("[x](http://example.org)")
    check(page)
    preview.get_by_role("button", name="I agree").click()
    expect(preview.get_by_role("radio")).to_have_count(3)
    # The preview is replaced with every change, but the author is not sent back.
    page.get_by_label("Hint").fill("In the last month.")
    expect(preview.locator(".question .below")).to_have_text("In the last month.")
    page.locator("#question-1").get_by_text("More settings").click()
    page.get_by_label("Section heading").fill("At night")
    expect(preview.locator(".questions h2")).to_have_text("At night")
    expect_saved(page)
    check(page)


def test_a_template_about_harm_says_what_is_still_to_be_filled_in(
    page: Page, server: ServerProcess
) -> None:
    log_in(page, server)
    page.goto(f"{server.url}/workbench/new")
    page.get_by_label("How people feel").check()
    page.get_by_role("button", name="Begin with the template").click()
    problems = page.locator("#problems")
    for title in ("Consent page", "Closing page", "Contact", "Ethics reference"):
        expect(problems).to_contain_text(f"{title}: still has placeholders")
    expect(page.locator("#ethics")).to_have_attribute("open", "")
    check(page)
