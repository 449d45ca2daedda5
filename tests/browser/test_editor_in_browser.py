"""The whole path of a researcher in a real browser: author, preview, publish, results, close."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.editor import (
    begin,
    check,
    clean_page,
    editor_server,
    expect_saved,
    log_in,
    new_page,
)
from tests.browser.respondent import choose, expect_receipt, open_survey, review, send
from tests.browser.server_process import ServerProcess

CANARY = "<img src=x onerror=canary=1><script>canary=1</script>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with editor_server(tmp_path_factory.mktemp("editor")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    with clean_page(browser, getattr(request, "param", "light on a desktop")) as page:
        yield page


def write_two_questions(page: Page, title: str, slug: str) -> None:
    expect(page.locator("#problems")).to_contain_text("please fill this in")

    # It saves by itself, and shows what the server makes of it without being loaded anew.
    page.get_by_label("Name in links").fill(slug)
    page.get_by_label("Deletion day").fill("2999-12-31")
    page.get_by_label("Question text").fill("Do you sleep well?")
    expect(page.locator("#beside-0")).to_contain_text("percentage points")
    expect(page.locator("#total")).to_contain_text("2 good")
    preview = page.frame_locator("iframe")
    expect(preview.get_by_role("heading", name=title)).to_be_visible()
    expect(preview.locator(".test-mark")).to_contain_text("TEST")

    # Another kind asks for other fields.
    page.get_by_label("Kind").select_option("one_of")
    page.get_by_role("textbox", name="Options").fill("Rarely\nOften")
    page.get_by_role("textbox", name="Options").blur()
    expect(preview.get_by_text("Rarely", exact=True)).to_be_attached()
    expect(preview.get_by_role("radio")).to_have_count(3)
    check(page)
    page.get_by_role("button", name="Add a question").click()
    expect(page.get_by_role("heading", name="Question 2")).to_be_in_viewport()
    page.locator("#question-2").get_by_label("Question text").fill("Do you dream?")
    expect(page.locator("#beside-1")).to_contain_text("of 100")


def try_and_publish(page: Page) -> None:
    page.get_by_role("button", name="Try it").click()
    check(page)
    page.get_by_role("button", name="Start the test").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("The test is running")
    expect(page.get_by_role("button", name="Copy")).to_have_count(1)
    check(page)
    page.get_by_role("link", name="Back to the editor").click()
    page.get_by_role("button", name="Publish …").click()
    expect(page.get_by_text("Epsilon 2 for one person")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Publish and freeze").click()
    expect(page.get_by_role("status")).to_contain_text("The survey is published.")
    check(page)


def answer(browser: Browser, link: str) -> None:
    respondent = new_page(browser, "light on a phone")
    open_survey(respondent, link)
    choose(respondent, ["Often", "No"])
    review(respondent)
    send(respondent)
    expect_receipt(respondent)
    respondent.context.close()


@pytest.mark.parametrize("page", ["light on a phone", "dark on a desktop"], indirect=True)
def test_from_a_blank_page_to_results_that_are_closed(
    page: Page, browser: Browser, server: ServerProcess
) -> None:
    log_in(page, server)
    page.get_by_role("link", name="New survey").click()
    check(page)
    page.get_by_role("link", name="Surveys").click()
    width = page.evaluate("innerWidth")
    title, slug = f"Sleep on {width}", f"sleep-{width}"
    begin(page, title)
    check(page)
    write_two_questions(page, title, slug)
    try_and_publish(page)
    answer(browser, page.get_by_role("link", name=f"/s/{slug}#").inner_text())

    page.get_by_role("link", name="Results", exact=True).first.click()
    expect(page.get_by_text("This is the only report")).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="YAML").click()
    assert "Do you dream?" in downloading.value.path().read_text()
    page.get_by_role("link", name="Close for ever").click()
    page.get_by_role("button", name="Close for ever").click()
    expect(page.get_by_role("status")).to_have_text("The survey is closed for ever.")


def test_everything_but_saving_by_itself_works_without_scripts(
    browser: Browser, server: ServerProcess
) -> None:
    page = new_page(browser, "light on a desktop", scripts=False)
    log_in(page, server)
    begin(page, "No scripts")
    page.get_by_label("Question text").fill("Is it plain?")
    page.get_by_label("Question text").press("Tab")
    page.get_by_label("Deletion day").fill("2999-12-31")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#problems")).to_contain_text("Ready to publish")
    expect(page.locator("#beside-0")).to_contain_text("percentage points")
    page.get_by_label("Title").press("Enter")
    expect(page.get_by_label("Question text")).to_have_value("Is it plain?")
    page.get_by_role("button", name="Publish …").click()
    page.get_by_role("button", name="Publish and freeze").click()
    expect(page.get_by_role("status")).to_contain_text("The survey is published.")
    page.context.close()


def test_two_windows_do_not_overwrite_each_other(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "Two windows")
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_label("Question text").fill("From the other window?")
    expect_saved(other)
    page.bring_to_front()
    page.get_by_label("Question text").fill("From this one?")
    expect(page.locator("#saved")).to_contain_text("Not saved: This survey was changed elsewhere")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("changed elsewhere")
    expect(page.get_by_label("Question text")).to_have_value("From this one?")
    check(page)
    other.reload()
    expect(other.get_by_label("Question text")).to_have_value("From the other window?")


def test_a_button_does_not_overtake_what_is_being_saved(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "In a hurry")
    held: list[Route] = []
    page.route("**/manuscripts/*", lambda route: held.append(route), times=1)
    with page.expect_request(lambda request: request.method == "POST"):
        page.get_by_label("Question text").fill("Already?")
    page.get_by_role("button", name="Add a question").click()
    expect(page.locator("#saved")).to_have_text("Saving …")
    held[0].continue_()
    expect(page.get_by_role("heading", name="Question 2")).to_be_visible()
    expect(page.locator("#question-1").get_by_label("Question text")).to_have_value("Already?")
    assert page.get_by_role("alert").count() == 0


def test_nothing_is_sent_from_the_preview(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, "Only shown")
    page.get_by_label("Question text").fill("Shown?")
    page.get_by_role("button", name="Save").click()
    preview = page.get_by_role("link", name="Open the preview").get_attribute("href")
    page.goto(f"{server.url}{preview}")
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    choose(page, ["Yes"])
    review(page)
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("nothing can be sent from it")
    # The report that stays on the device does not stand in the way of another look.
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("nothing can be sent from it")
    page.get_by_role("button", name="Test again").click()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()


def test_hostile_texts_are_text_on_every_page(page: Page, server: ServerProcess) -> None:
    log_in(page, server)
    begin(page, CANARY)
    page.get_by_label("Name in links").fill("canary")
    page.get_by_label("Introduction").fill(CANARY)
    page.get_by_label("Organizer").fill(CANARY)
    page.get_by_label("Deletion day").fill("2999-12-31")
    page.get_by_label("Kind").select_option("one_of")
    page.get_by_label("Question text").fill(CANARY)
    page.get_by_role("textbox", name="Options").fill(f"{CANARY}\nOther")
    expect(page.frame_locator("iframe").get_by_role("radio")).to_have_count(3)
    editor = page.url
    for path in ("", "/test", "/publish"):
        page.goto(f"{editor}{path}")
        assert page.evaluate("typeof canary") == "undefined"
    page.get_by_role("button", name="Publish and freeze").click()
    expect(page.get_by_role("status")).to_contain_text("published")
    for tab in ("Overview", "Results", "Log"):
        page.get_by_role("link", name=tab, exact=True).first.click()
        assert page.evaluate("typeof canary") == "undefined"
    for path in ("/workbench", "/workbench/new"):
        page.goto(server.url + path)
        assert page.evaluate("typeof canary") == "undefined"
        assert page.get_by_text("onerror=canary").count() > 0


@pytest.mark.parametrize("page", ["light on a phone", "dark on a desktop"], indirect=True)
def test_a_viewer_reads_what_is_written_and_cannot_type(
    page: Page, browser: Browser, server: ServerProcess
) -> None:
    owner = new_page(browser, "light on a desktop")
    log_in(owner, server)
    owner.goto(f"{server.url}/workbench/surveys/habits")
    owner.get_by_role("button", name="Write the next version").click()
    expect(owner.get_by_label("Title")).to_be_editable()
    log_in(page, server, "vic")
    page.goto(owner.url)
    owner.context.close()
    expect(page.get_by_label("Title")).to_have_value("Habits at work")
    expect(page.get_by_label("Title")).to_be_disabled()
    expect(page.locator("#editor").get_by_role("button")).to_have_count(0)
    # Folded parts can be read, too.
    page.locator("#question-1").get_by_text("More settings").click()
    expect(page.locator("#question-1 details")).to_have_attribute("open", "")
    check(page)
