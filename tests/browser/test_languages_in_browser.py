"""Every language in a real browser: the whole way, right to left too, and a switch on the page."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from client.authoring.draft.survey import build_survey
from client.wording.languages import INTERFACE, direction
from server.web.languages import in_language
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.kinds import checked
from tests.browser.polyglot import CHOSEN, POLYGLOT, answer_all, chosen
from tests.browser.respondent import HandIns, all_kept, card, open_survey, turn_to_last
from tests.browser.server_process import ServerProcess, serving

ESPERANTO: dict[str, Any] = {
    "slug": "enketo",
    "title": "Enketo",
    "delete_on": "2999-12-31",
    "language": "eo",
    "questions": [{"id": "q", "prompt": "Ĉu?", "options": ["Ne", "Jes"], "epsilon": "1"}],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("languages"), POLYGLOT, ESPERANTO) as running:
        yield running


def device(browser: Browser, language: str) -> BrowserContext:
    context = browser.new_context(viewport=PHONE, locale=language)
    context.set_default_timeout(60_000)
    return context


def press(page: Page, key: str) -> None:
    """A button, by the text that it has in the language of the page."""
    if key == "review.button":
        turn_to_last(page)
    language = page.evaluate("document.documentElement.lang")
    page.get_by_role("button", name=in_language(language).say(key), exact=True).click()


def expect_heading(page: Page, language: str, key: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(in_language(language).say(key))


def switch(page: Page, language: str) -> None:
    select = page.locator(".language select")
    select.focus()
    select.select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("html")).to_have_attribute("dir", direction(language))


def check_page(page: Page, language: str) -> None:
    """The right language and direction, nothing to scroll sideways, nothing for axe to find."""
    root = page.locator("html")
    expect(root).to_have_attribute("lang", language)
    expect(root).to_have_attribute("dir", direction(language))
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels stick out"
    assert violations(page) == []


@pytest.mark.parametrize("language", INTERFACE)
def test_the_whole_way_in_one_language(
    browser: Browser, server: ServerProcess, language: str
) -> None:
    context = device(browser, language)
    handed_in = HandIns(context)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    wording = in_language(language)
    shown = language if language in CHOSEN else "en"

    open_survey(page, f"{server.url}/s/polyglot")
    expect(page.locator("#label-heading")).to_have_text(wording.say("label.heading"))
    expect(page.locator("h1")).to_have_text(POLYGLOT["title"][shown])
    expect(page.locator("h1")).to_have_attribute("lang", shown)
    expect(page.locator("h1")).to_have_attribute("dir", direction(shown))
    page.locator(".small-print summary").last.click()
    check_page(page, language)
    press(page, "review.button")
    expect(page.get_by_role("alert")).to_contain_text(POLYGLOT["questions"][0]["prompt"][shown])
    check_page(page, language)
    answer_all(page, shown)
    press(page, "review.button")
    expect_heading(page, language, "review.heading")
    assert chosen(page)[:2] == CHOSEN[shown][:2]
    if shown == language:
        assert chosen(page) == CHOSEN[language]
    page.locator("summary").click()
    check_page(page, language)
    press(page, "send.button")
    expect_heading(page, language, "receipt.heading")
    check_page(page, language)
    page.get_by_role("link", name=wording.say("receipt.results")).click()
    expect(page.locator("h1")).to_have_text(POLYGLOT["title"][shown])
    check_page(page, language)

    # One catalogue, and a report that shows nothing of the language.
    assert len([url for url in asked if re.search(r"/client/.*\.json", url)]) == 1
    ((_, body),) = handed_in.different
    assert body is not None
    assert len(body) == build_survey(POLYGLOT).report_bytes
    assert json.loads(body)["randomized"].keys() == {q["id"] for q in POLYGLOT["questions"]}
    context.close()


def test_the_switch_keeps_answers_coins_and_focus(
    page: Page, context: BrowserContext, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/polyglot")
    answer_all(page)
    # A third box is one too many, and the complaint is shown in the new language too.
    card(page, 2).get_by_role("checkbox").nth(1).check()
    switch(page, "de")
    expect(page.locator(".language select")).to_be_focused()
    expect(page.locator(".position:visible")).to_have_text("Frage 3 von 6")
    expect(card(page, 2).get_by_role("alert")).to_contain_text("Sie haben 3 angekreuzt")
    card(page, 2).get_by_role("checkbox").nth(1).uncheck()
    assert checked(card(page, 0)) == ["Ja"]
    assert checked(card(page, 2)) == ["Geld", "Krieg"]
    assert card(page, 1).get_by_role("combobox").input_value() == "Stadt 07"
    press(page, "review.button")
    body = page.locator(".payload").text_content()
    page.locator("summary").click()
    for language in ("ar", "en", "de"):
        switch(page, language)
        expect_heading(page, language, "review.heading")
        assert chosen(page) == CHOSEN[language]
        assert page.locator(".payload").text_content() == body
        expect(page.locator(".payload")).to_be_visible()
    # Back and forth: the coins are the same ones.
    switch(page, "ar")
    press(page, "review.back")
    assert checked(card(page, 0)) == ["نعم"]
    press(page, "review.button")
    assert page.locator(".payload").text_content() == body
    # Nothing about the language or an answer is kept.
    assert all_kept(page) == []
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
        *(0, 0, "")
    ]
    assert page.url == f"{server.url}/s/polyglot"


def test_silence_and_half_an_answer_survive_the_switch(page: Page, server: ServerProcess) -> None:
    page.set_viewport_size(DESKTOP)
    open_survey(page, f"{server.url}/s/polyglot")
    card(page, 0).get_by_role("radio").nth(2).check()
    card(page, 1).get_by_role("combobox").fill("Cit")
    card(page, 2).get_by_role("checkbox").last.check()
    card(page, 4).get_by_role("spinbutton").fill("61")
    card(page, 5).get_by_role("radio").last.check()
    switch(page, "de")
    assert checked(card(page, 0)) == ["Möchte ich nicht sagen"]
    assert card(page, 1).get_by_role("combobox").input_value() == "Cit"
    assert checked(card(page, 2)) == ["Nichts davon"]
    assert card(page, 4).get_by_role("spinbutton").input_value() == "61"
    assert checked(card(page, 5)) == ["Möchte ich nicht sagen"]
    expect(page.locator(".progress")).to_have_text("3 von 6 beantwortet")


def test_a_switch_while_the_report_is_on_its_way_sends_it_once(
    page: Page, context: BrowserContext, server: ServerProcess
) -> None:
    handed_in = HandIns(context)
    waiting: list[Route] = []
    page.route("**/reports", lambda route: waiting.append(route))
    open_survey(page, f"{server.url}/s/polyglot")
    answer_all(page)
    press(page, "review.button")
    with page.expect_request("**/reports"):
        press(page, "send.button")
    expect(page.get_by_role("button").first).to_be_disabled()
    switch(page, "de")
    assert page.get_by_role("button").first.is_disabled()
    waiting[0].continue_()
    expect_heading(page, "de", "receipt.heading")
    assert len(handed_in.sent) == 1


def test_texts_that_cannot_be_had_leave_the_page_as_it_is(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/polyglot")
    page.route("**/client/*.json", lambda route: route.abort())
    answer_all(page)
    page.locator(".language select").select_option("de")
    expect(page.locator(".language select")).to_have_value("en")
    press(page, "review.button")
    expect_heading(page, "en", "review.heading")


def test_a_survey_may_speak_a_language_that_the_page_lacks(
    browser: Browser, server: ServerProcess
) -> None:
    context = browser.new_context(viewport=PHONE, locale="eo")
    page = context.new_page()
    page.add_init_script(
        "Object.defineProperty(navigator, 'languages', {get: () => ['eo', 'de-AT', 'en']})"
    )
    open_survey(page, f"{server.url}/s/enketo")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("h1")).to_have_attribute("lang", "eo")
    # Where there is nothing to choose, there is no menu.
    expect(page.locator(".language")).to_be_hidden()
    assert violations(page) == []
    context.close()


def test_only_languages_of_the_survey_can_be_chosen_on_page_and_results(
    browser: Browser, server: ServerProcess
) -> None:
    context = device(browser, "es")
    page = context.new_page()
    open_survey(page, f"{server.url}/s/polyglot")
    expect(page.locator(".language option")).to_have_text(["English", "العربية", "Deutsch"])
    # The page speaks Spanish, the survey does not.
    expect(page.locator(".language select")).to_have_value("en")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    switch(page, "ar")
    page.goto(f"{server.url}/s/polyglot/results")
    links = page.locator(".languages a")
    expect(links).to_have_text(["English", "العربية", "Deutsch"])
    expect(page.locator(".languages [aria-current]")).to_have_text("English")
    for language, name in (("de", "Deutsch"), ("ar", "العربية")):
        links.get_by_text(name).click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_have_text(POLYGLOT["title"][language])
        expect(page.locator(".languages [aria-current]")).to_have_text(name)
        check_page(page, language)
    page.goto(f"{server.url}/s/enketo/results")
    expect(links).to_have_count(0)
    context.close()


def test_arrow_keys_follow_the_direction_of_the_language(
    browser: Browser, server: ServerProcess
) -> None:
    context = device(browser, "ar")
    page = context.new_page()
    open_survey(page, f"{server.url}/s/polyglot")
    levels = card(page, 3).get_by_role("radio")
    levels.nth(4).check()
    page.keyboard.press("ArrowLeft")
    expect(levels.nth(5)).to_be_checked()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(levels.nth(3)).to_be_checked()
    # The higher level stands further to the left.
    first, last = levels.first.bounding_box(), levels.nth(3).bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]
    context.close()
