"""Hints below questions and headings of sections, on narrow and wide screens."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.respondent import card, open_survey, press_review
from tests.browser.server_process import ServerProcess, serving


def in_two(en: str, ar: str) -> dict[str, str]:
    return {"en": en, "ar": ar}


HARMLESS = "<b>Not</b> markup"
SECTIONS: dict[str, Any] = {
    "slug": "sections",
    "title": in_two("Life", "الحياة"),
    "delete_on": "2031-12-31",
    "epsilon": "0.5",
    "questions": [
        {"id": "a", "prompt": in_two("First?", "أولًا؟")},
        {
            "id": "b",
            "heading": in_two("At work", "في العمل"),
            "prompt": in_two("Smoke there?", "تدخن هناك؟"),
            "hint": in_two("In the last\ntwelve months.", "في العام الماضي."),
        },
        {"id": "c", "prompt": in_two("Drink there?", "تشرب هناك؟")},
        {
            "id": "d",
            "heading": in_two("At home", "في البيت"),
            "prompt": in_two("And at home?", "وفي البيت؟"),
            "show_if": {"question": "b", "is": "Yes"},
        },
        {
            "id": "e",
            "kind": "number",
            "lo": "0",
            "hi": "9",
            "prompt": in_two("How often?", "كم مرة؟"),
            "hint": in_two(HARMLESS, "ليس ترميزًا"),
        },
    ],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    sampled = {**SECTIONS, "slug": "sampled", "ask_each_person": "1"}
    del sampled["questions"]
    heading = in_two("One section", "قسم واحد")
    sampled["questions"] = [
        {"id": id, "prompt": in_two(f"{id}?", f"{id}؟")} | ({"heading": heading} if at == 0 else {})
        for at, id in enumerate("abc")
    ]
    with serving(tmp_path_factory.mktemp("sections"), SECTIONS, sampled) as running:
        yield running


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    device = browser.new_context(viewport=request.param, locale="en-GB")
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def is_phone(page: Page) -> bool:
    return page.viewport_size == PHONE


def shown_headings(page: Page) -> list[str]:
    """The headings of sections that are on the screen."""
    found = page.locator(".questions h2").all()
    return [heading.inner_text() for heading in found if heading.is_visible()]


def test_a_hint_describes_its_question_and_is_text(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/sections")
    question = card(page, 1)
    expect(question).to_have_accessible_description("In the last twelve months.")
    hint = question.locator(".below")
    expect(hint).to_be_visible()
    assert hint.evaluate("(node) => node.getBoundingClientRect().top") >= question.locator(
        "legend"
    ).evaluate("(node) => node.getBoundingClientRect().bottom - 1")
    expect(card(page, 2).locator(".below")).to_have_count(0)
    assert card(page, 2).get_attribute("aria-describedby") is None
    expect(card(page, 4).locator(".below")).to_have_text(HARMLESS)
    assert violations(page) == []


def test_a_section_has_its_heading_above_its_first_question_and_on_every_narrow_screen(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/sections")
    if not is_phone(page):
        assert shown_headings(page) == ["At work", "At home"]
        assert violations(page) == []
        return
    seen = []
    for number in (0, 1, 2, 4):
        card(page, number)
        seen.append(shown_headings(page))
        assert violations(page) == []
    assert seen == [[], ["At work"], ["At work"], ["At home"]]


def test_the_heading_is_on_the_screen_when_its_question_is_turned_to(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/sections")
    card(page, 1)
    if is_phone(page):
        expect(page.locator(".questions h2:visible")).to_be_in_viewport()
    press_review(page)
    expect(page.get_by_role("alert").last).to_contain_text("Please answer 4 more questions")


def test_a_section_keeps_its_heading_while_its_first_question_is_hidden(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/sections")
    heading = page.locator(".questions h2", has_text="At home")
    above = "(node) => node.nextElementSibling.querySelector('.prompt').textContent"

    def first_of_section() -> list[str]:
        visible = [
            item for item in heading.all() if "continued" not in str(item.get_attribute("class"))
        ]
        return [item.evaluate(above) for item in visible if item.get_attribute("hidden") is None]

    assert first_of_section() == ["How often?"]
    card(page, 1).get_by_role("radio", name="Yes").check()
    assert first_of_section() == ["And at home?"]
    card(page, 1).get_by_role("radio", name="No").check()
    assert first_of_section() == ["How often?"]


def test_a_section_keeps_its_heading_whichever_question_is_drawn(
    page: Page, server: ServerProcess
) -> None:
    for _ in range(4):
        open_survey(page, f"{server.url}/s/sampled")
        assert shown_headings(page) == ["One section"]


def test_hints_and_headings_follow_the_language(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/sections")
    page.locator(".language select").select_option("ar")
    expect(card(page, 1).locator(".below")).to_have_text("في العام الماضي.")
    expect(card(page, 1).locator(".below")).to_have_attribute("dir", "rtl")
    heading = page.locator(".questions h2:visible").first
    expect(heading).to_have_text("في العمل")
    expect(heading).to_have_attribute("lang", "ar")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
