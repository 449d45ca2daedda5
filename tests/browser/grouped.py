"""Surveys with groups that people choose, and how a respondent goes through that page."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.surveys import HABITS


def in_two(en: str, ar: str) -> dict[str, str]:
    return {"en": en, "ar": ar}


FACTORS = [
    {"id": "age", "prompt": "How old are you?", "levels": ["Under 30", "30 or older"]},
    {"id": "site", "prompt": "Where do you work?", "levels": ["North", "South"]},
]
CHOSEN: dict[str, Any] = {
    **HABITS,
    "slug": "chosen",
    "groups": {"by": "choice", "factors": FACTORS},
}
ARABIC: dict[str, Any] = {
    "slug": "arabic",
    "title": in_two("Habits", "العادات"),
    "consent": in_two("One question.", "سؤال واحد."),
    "delete_on": "2031-12-31",
    "groups": {
        "by": "choice",
        "factors": [
            {
                "id": "age",
                "prompt": in_two("How old are you?", "كم عمرك؟"),
                "levels": [in_two("Under 30", "أقل من 30"), in_two("30 or older", "30 فأكثر")],
            }
        ],
    },
    "questions": [{"id": "a", "prompt": in_two("Smoke?", "تدخن؟"), "epsilon": "1"}],
}


def open_groups(page: Page, link: str) -> None:
    """Open a survey as far as the page that asks for the group."""
    page.goto(link)
    expect(page.locator(".groups")).to_be_visible()


def choose_group(page: Page, *levels: str) -> None:
    """Choose a level of each factor and go on."""
    for number, level in enumerate(levels):
        page.locator(".factor").nth(number).get_by_role("radio", name=level, exact=True).check()
    page.locator(".go-on").click()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
