"""The form of the editor in a real browser: faults that lead to their field, and live choices."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.editor import begin, check, clean_page, editor_server, expect_saved, log_in
from tests.browser.server_process import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with editor_server(tmp_path_factory.mktemp("editor")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    with clean_page(browser, getattr(request, "param", "light on a desktop")) as page:
        yield page


@pytest.mark.parametrize("page", ["light on a phone", "dark on a desktop"], indirect=True)
def test_what_is_missing_leads_to_its_field_by_keyboard(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "By keyboard")
    check(page)
    page.get_by_role("link", name="Still missing: 2").press("Enter")
    expect(page.locator("#problems")).to_be_focused()
    page.get_by_role("link", name="Deletion day").press("Enter")
    day = page.get_by_label("Deletion day")
    expect(day).to_be_focused()
    expect(day).to_be_in_viewport()
    expect(day).to_have_attribute("aria-required", "true")
    expect(day).to_have_attribute("aria-invalid", "true")
    day.fill("2999-12-31")
    expect_saved(page)
    expect(day).not_to_have_attribute("aria-invalid", "true")
    day.fill("")
    expect(day).to_have_attribute("aria-invalid", "true")
    day.fill("2999-12-31")
    expect(day).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("link", name="Question 1: Question text").press("Enter")
    expect(page.get_by_label("Question text")).to_be_focused()
    page.keyboard.type("Written without a mouse?")
    expect(page.locator("#problems")).to_contain_text("Nothing is missing")
    # The preview that is drawn meanwhile takes the focus from nobody.
    expect(page.frame_locator("iframe").locator(".question")).to_have_count(1)
    expect(page.get_by_label("Question text")).to_be_focused()


@pytest.mark.parametrize("page", ["light on a phone", "light on a desktop"], indirect=True)
def test_skip_logic_is_chosen_and_ticked(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "Conditions")
    page.get_by_label("Question text").fill("Do you smoke?")
    page.get_by_role("button", name="Add a question").click()
    second = page.locator("#question-2")
    expect(second).to_be_focused()
    second.get_by_label("Question text").fill("How much?")
    second.get_by_text("More settings").click()
    second.get_by_label("Condition").select_option(label="Question 1, “Do you smoke?”")
    second.get_by_label("Yes", exact=True).check()
    expect(page.locator("#beside-1")).to_contain_text("of 100")
    # What was unfolded stays so, though the form is another one.
    expect(second.get_by_label("Name in tables")).to_be_visible()
    check(page)
    asked = page.frame_locator("iframe").locator(".question")
    expect(asked.nth(1)).to_have_attribute("hidden", "")
    asked.first.get_by_label("Yes", exact=True).check()
    expect(asked.nth(1)).not_to_have_attribute("hidden", "")


def test_figures_and_preview_of_valid_questions_stay(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "Half done")
    page.get_by_label("Question text").fill("Do you sleep?")
    page.get_by_role("button", name="Add a question").click()
    expect(page.locator("#beside-0")).to_contain_text("percentage points")
    expect(page.locator("#preview")).to_contain_text("Not shown yet: question 2")
    asked = page.frame_locator("iframe").locator(".question")
    expect(asked).to_have_count(1)
    expect(asked.first).to_contain_text("Do you sleep?")
    page.locator("#question-2").get_by_label("Question text").fill("And now?")
    expect(asked).to_have_count(2)
    expect(page.locator("#preview")).not_to_contain_text("Not shown yet")


def test_a_label_of_its_own_is_asked_for_where_it_is_wanted(
    page: Page, server: ServerProcess
) -> None:
    log_in(page, server)
    begin(page, "Labels")
    label = page.locator(".own .field").first
    expect(label).to_be_hidden()
    page.get_by_label("“Prefer not to say”", exact=True).first.select_option("own")
    expect(label).to_be_visible()


def test_who_may_take_part_is_in_plain_view(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "Invited")
    expect(page.get_by_label("Anyone with the link")).to_be_checked()
    page.get_by_label("Only people with a personal link").check()
    expect_saved(page)
    page.reload()
    expect(page.get_by_label("Only people with a personal link")).to_be_checked()
    expect(page.get_by_role("group", name="Who may take part")).to_contain_text(
        "Nobody sees results before the survey is closed, not even you"
    )


@pytest.mark.parametrize("page", ["light on a phone", "dark on a desktop"], indirect=True)
def test_groups_are_added_written_changed_and_removed(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "Compared")
    page.get_by_label("Question text").fill("Do you sleep?")
    page.get_by_text("Groups to compare").click()
    page.get_by_role("button", name="Compare groups").click()
    factor = page.get_by_role("group", name="Factor 1")
    expect(factor.get_by_label("Levels")).to_have_attribute("aria-invalid", "true")
    check(page)
    factor.get_by_label("What it is").fill("How old are you?")
    factor.get_by_label("Levels").fill("Under 30\n30 or older")
    expect(factor.get_by_label("Levels")).not_to_have_attribute("aria-invalid", "true")
    # Somebody who is asked may decline; a link never declines, so the control goes.
    decline = factor.get_by_label("“Prefer not to say”").first
    expect(decline).to_be_visible()
    page.locator("#groups").get_by_role("radio", name="The link").check()
    expect(decline).to_be_hidden()
    page.get_by_role("button", name="Add another factor").click()
    expect(page.get_by_text("Groups to compare: 2 factors")).to_be_visible()
    page.get_by_role("button", name="Remove factor 2").click()
    expect(page.get_by_text("Groups to compare: 1 factor")).to_be_visible()
    page.reload()
    expect(factor.get_by_label("What it is")).to_have_value("How old are you?")
    expect(factor.get_by_label("Levels")).to_have_value("Under 30\n30 or older")
    expect(page.locator("#groups").get_by_role("radio", name="The link")).to_be_checked()
    check(page)
    page.get_by_role("button", name="Remove factor 1").click()
    expect(page.get_by_text("Groups to compare", exact=True)).to_be_visible()
    expect(factor).to_have_count(0)
