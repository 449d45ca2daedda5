"""Consent and closing page: shown as the author means them, and nobody learns who agreed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from client.authoring.draft.survey import build_survey
from client.core.primitives.words import secure_hex
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.respondent import (
    agree,
    all_kept,
    choose,
    expect_receipt,
    open_survey,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.browser.wire import Wire

TRUTH = ["Yes", "No", "Not now"]
STUDY: dict[str, Any] = {
    **HABITS,
    "slug": "study",
    "consent": (
        "# What this is about\n\nThree questions about **work**. Taking part is *voluntary*.\n\n"
        "## What happens\n\n1. You answer.\n2. Your device randomizes.\n\n"
        "- More on [our page](https://example.org/study)\n- or [by mail](mailto:a@example.org)"
    ),
    "closing": "## Somebody to talk to\n\n- **Any time:** [the helpline](https://example.org/help)",
    "contact": "Ada Example, a@example.org",
    "ethics_reference": "Board of Examples, 2026-113",
}
HOSTILE = (
    '<img src="https://example.org/x.png" onerror="document.title=1"> <script>1</script>\n\n'
    "# </section><h1>Fake</h1>\n\n- [click](javascript:document.title=1)\n- [http](http://e.org)\n"
    "  - nested\n\n**unclosed *marks\n\n![image](https://example.org/x.png)\n\n" + "[" * 15_000
)


def in_two(en: str, ar: str) -> dict[str, str]:
    return {"en": en, "ar": ar}


ARABIC: dict[str, Any] = {
    "slug": "arabic",
    "title": in_two("Habits", "العادات"),
    "consent": in_two("# First\n\n- one", "# أولًا\n\n- واحد"),
    "closing": in_two("Thank you.", "شكرًا. اتصل: 0800 111 0 222 أو **+49 30 333**."),
    "contact": in_two("Ada", "آدا"),
    "ethics_reference": in_two("Board, 2026-113", "اللجنة، 2026-113"),
    "delete_on": "2031-12-31",
    "questions": [{"id": "a", "prompt": in_two("Smoke?", "تدخن؟"), "epsilon": "1"}],
}


# Where on the screen a text of the page begins.
LEFT_OF = """(text) => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(text);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + text.length);
    return range.getBoundingClientRect().left;
  }
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    hostile = {**STUDY, "slug": "hostile", "consent": HOSTILE, "closing": HOSTILE}
    with serving(tmp_path_factory.mktemp("consent"), STUDY, ARABIC, hostile) as running:
        yield running


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    device = browser.new_context(viewport=request.param, locale="en-GB")
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def prose(page: Page) -> Locator:
    return page.locator(".prose")


def open_consent(page: Page, link: str) -> None:
    page.goto(link)
    expect(page.locator(".consent")).to_be_visible()


def fits(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return wide


def test_consent_comes_first_and_no_question_can_be_answered_without_it(
    page: Page, server: ServerProcess
) -> None:
    open_consent(page, f"{server.url}/s/study")
    expect(page.get_by_role("heading", level=1)).to_have_text("Habits at work")
    expect(page.get_by_role("heading", level=2)).to_have_text("What this is about")
    expect(page.get_by_role("heading", level=3)).to_have_text("What happens")
    expect(prose(page).locator("ol > li")).to_have_text(["You answer.", "Your device randomizes."])
    expect(prose(page).locator("ul > li")).to_have_count(2)
    expect(prose(page).locator("strong")).to_have_text("work")
    expect(prose(page).locator("em")).to_have_text("voluntary")
    expect(page.get_by_text("Board of Examples, 2026-113")).to_be_visible()
    expect(page.get_by_text("it is neither sent nor stored")).to_be_visible()
    expect(page.locator("input, fieldset")).to_have_count(0)
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("button", name="I agree").focus()
    page.keyboard.press("Enter")
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    # It stays readable beside the questions whom to ask.
    expect(page.locator(".small-print .facts").first).to_contain_text("Ada Example")


def test_links_lead_away_without_telling_where_from(page: Page, server: ServerProcess) -> None:
    open_consent(page, f"{server.url}/s/study")
    found = [
        [link.get_attribute(name) for name in ("href", "rel", "target")]
        for link in prose(page).locator("a").all()
    ]
    elsewhere = ["noreferrer noopener", "_blank"]
    assert found == [
        ["https://example.org/study", *elsewhere],
        ["mailto:a@example.org", *elsewhere],
    ]


def test_agreeing_sends_nothing_keeps_nothing_and_leaves_no_mark_in_the_report(
    page: Page, server: ServerProcess
) -> None:
    with Wire(server.port) as wire:
        open_consent(page, f"{wire.url}/s/study")
        page.wait_for_load_state("networkidle")
        wire.take()
        agree(page)
        expect(page.locator("fieldset.questions input").first).to_be_enabled()
        page.wait_for_timeout(300)
        assert wire.take() == []
        assert all_kept(page) == []
        assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
            *(0, 0, "")
        ]
        choose(page, TRUTH)
        review(page)
        send(page)
        expect_receipt(page)
        _, put = wire.take()
    survey = build_survey(STUDY)
    assert len(put.body) == survey.report_bytes
    assert b"agree" not in put.raw.lower()
    assert b"consent" not in put.raw.lower()


def test_a_visit_anew_asks_anew(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/study")
    page.reload()
    expect(page.locator(".consent")).to_be_visible()
    expect(page.locator("input")).to_have_count(0)


def test_the_closing_page_comes_after_sending_and_goes_home_with_the_receipt(
    page: Page, server: ServerProcess, tmp_path: Path
) -> None:
    open_survey(page, f"{server.url}/s/study")
    expect(page.get_by_text("Somebody to talk to")).to_have_count(0)
    choose(page, TRUTH)
    review(page)
    expect(page.get_by_text("Somebody to talk to")).to_have_count(0)
    send(page)
    expect_receipt(page)
    expect(page.get_by_role("heading", level=2).first).to_have_text("Somebody to talk to")
    helpline = page.get_by_role("link", name="the helpline")
    expect(helpline).to_have_attribute("href", "https://example.org/help")
    expect(page.locator(".receipt")).to_contain_text("Ada Example")
    assert violations(page) == []
    assert fits(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save it as a file").click()
    file = tmp_path / "receipt.txt"
    saving.value.save_as(file)
    assert "  • Any time: the helpline (https://example.org/help)" in file.read_text("utf-8")
    # Who comes back sees it again, without agreeing anew.
    page.goto(f"{server.url}/s/study")
    expect(page.get_by_role("link", name="the helpline")).to_be_visible()


def test_hostile_pages_stay_text(page: Page, server: ServerProcess) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_survey(page, f"{server.url}/s/hostile")
    choose(page, TRUTH)
    review(page)
    send(page)
    expect_receipt(page)
    for text in ('<img src="https://example.org/x.png"', "</section><h1>Fake</h1>", "**unclosed"):
        expect(prose(page)).to_contain_text(text)
    expect(prose(page)).to_contain_text("[click](javascript:document.title=1)")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(prose(page).locator("img, script, h1, li li")).to_have_count(0)
    links = [link.get_attribute("href") for link in prose(page).locator("a").all()]
    assert links == ["https://example.org/x.png"]
    assert page.title() == "Habits at work"
    assert {address for address in asked if "example.org" in address} == set()
    assert fits(page)


def test_both_pages_are_in_the_readers_language_and_direction(
    page: Page, server: ServerProcess
) -> None:
    open_consent(page, f"{server.url}/s/arabic")
    expect(prose(page)).to_have_attribute("dir", "ltr")
    page.locator(".language select").select_option("ar")
    expect(prose(page)).to_have_attribute("dir", "rtl")
    expect(prose(page)).to_have_attribute("lang", "ar")
    expect(prose(page).locator("li")).to_have_text("واحد")
    assert violations(page) == []
    assert fits(page)
    page.get_by_role("button", name="أوافق").click()
    page.get_by_role("radio").first.check()
    page.locator(".to-review").click()
    page.locator(".actions .button").first.click()
    expect(prose(page)).to_contain_text("شكرًا.")
    assert violations(page) == []


def test_a_number_to_call_keeps_its_order_between_letters_that_run_to_the_left(
    browser: Browser, server: ServerProcess
) -> None:
    """Without its own direction, 0800 111 0 222 would be shown as 222 0 111 0800."""
    device = browser.new_context(locale="ar")
    page = device.new_page()
    page.goto(f"{server.url}/s/arabic")
    page.locator(".consent .button").click()
    page.get_by_role("radio").first.check()
    page.locator(".to-review").click()
    page.locator(".actions .button").first.click()
    expect(prose(page)).to_contain_text("0800 111 0 222")
    for parts in (["0800", "111", "222"], ["+49", "30", "333"], ["2026", "113"]):
        places = [page.evaluate(LEFT_OF, part) for part in parts]
        assert places == sorted(places), parts
    device.close()


@pytest.mark.parametrize("is_consent_changed", [False, True])
def test_a_new_version_asks_for_consent_again_only_if_its_text_changed(
    context: BrowserContext, server: ServerProcess, is_consent_changed: bool
) -> None:
    page = context.new_page()
    draft = {**STUDY, "slug": f"s{secure_hex(1)}"}
    link = f"{server.url}/s/{server.publish(draft)}"
    open_survey(page, link)
    choose(page, TRUTH)
    review(page)
    changed = {"consent": "# Another"} if is_consent_changed else {"intro": "Another."}
    server.publish({**draft, **changed}, new_version=True)
    send(page)
    expect(page.get_by_role("alert").first).to_contain_text("This survey was changed")
    expect(page.locator(".consent")).to_have_count(int(is_consent_changed))
    if is_consent_changed:
        expect(page.locator("input")).to_have_count(0)
        agree(page)
    # Answers to unchanged questions are still there.
    expect(page.locator("input:checked")).to_have_count(3)
