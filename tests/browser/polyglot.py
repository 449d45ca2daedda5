"""A survey in three languages with every kind of control, and hands to answer it in any of them."""

import re
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.respondent import card

NAMES = [f"{number:02}" for number in range(13)]


def translated(en: str, de: str, ar: str) -> dict[str, str]:
    return {"en": en, "de": de, "ar": ar}


POLYGLOT: dict[str, Any] = {
    "slug": "polyglot",
    "title": translated("Health and habits", "Gesundheit und Gewohnheiten", "الصحة والعادات"),
    "intro": translated("Six short questions.", "Sechs kurze Fragen.", "ستة أسئلة قصيرة."),
    "organizer": translated("The study group", "Die Studiengruppe", "فريق الدراسة"),
    "delete_on": "2031-12-31",
    "questions": [
        {
            "id": "smokes",
            "prompt": translated("Do you smoke?", "Rauchen Sie?", "هل تدخن؟"),
            "decline": True,
            "epsilon": "0.5",
        },
        {
            "id": "city",
            "kind": "one_of",
            "prompt": translated("Where do you live?", "Wo wohnen Sie?", "أين تسكن؟"),
            "options": [translated(f"City {n}", f"Stadt {n}", f"مدينة {n}") for n in NAMES],
            "epsilon": "0.5",
        },
        {
            "id": "fears",
            "kind": "any_of",
            "prompt": translated("What worries you?", "Was macht Ihnen Sorgen?", "ما الذي يقلقك؟"),
            "options": [
                translated("Money", "Geld", "المال"),
                translated("Health", "Gesundheit", "الصحة"),
                translated("Work", "Arbeit", "العمل"),
                translated("War", "Krieg", "الحرب"),
            ],
            "at_most": 2,
            "epsilon": "0.5",
        },
        {
            "id": "trust",
            "kind": "scale",
            "prompt": translated("How much trust?", "Wie viel Vertrauen?", "ما مقدار ثقتك؟"),
            "lo": 0,
            "hi": 10,
            "lo_label": translated("none", "keins", "لا ثقة"),
            "hi_label": translated("full", "volles", "ثقة تامة"),
            "goal": "mean",
            "epsilon": "0.5",
        },
        {
            "id": "drinks",
            "kind": "number",
            "prompt": translated("How much wine?", "Wie viel Wein?", "ما مقدار العصير؟"),
            "lo": "0",
            "hi": "60",
            "step": "0.5",
            "unit": translated("litres", "Liter", "لتر"),
            "goal": "distribution",
            "epsilon": "1",
        },
        {
            "id": "both",
            "kind": "cross",
            "prompt": translated("Two things", "Zwei Dinge", "أمران"),
            "row_prompt": translated("Are you married?", "Sind Sie verheiratet?", "هل أنت متزوج؟"),
            "column_prompt": translated("Do you quarrel?", "Streiten Sie?", "هل تتشاجر؟"),
            "decline": True,
            "epsilon": "1",
        },
    ],
}
# Which option of which question; the same in every language.
CHOSEN = {
    "en": ["Yes", "City 07", "Money, War", "7", "3.5 litres", "Yes / No"],
    "de": ["Ja", "Stadt 07", "Geld, Krieg", "7", "3,5 Liter", "Ja / Nein"],
    "ar": ["نعم", "مدينة 07", "المال، الحرب", "7", "3.5 لتر", "نعم / لا"],
}


def answer_all(page: Page, language: str = "en") -> None:
    """Each control once, by the position of what is chosen, so that no language matters."""
    radio(card(page, 0), 1)
    city = POLYGLOT["questions"][1]["options"][7]
    card(page, 1).get_by_role("combobox").fill(city.get(language, city["en"]))
    boxes = card(page, 2).get_by_role("checkbox")
    boxes.nth(0).check()
    boxes.nth(3).check()
    radio(card(page, 3), 7)
    card(page, 4).get_by_role("spinbutton").fill("3.5")
    radio(card(page, 5), 1)
    radio(card(page, 5), 2)


def radio(place: Locator, number: int) -> None:
    place.get_by_role("radio").nth(number).check()


def chosen(page: Page) -> list[str]:
    """What the review says was chosen, without the marks that keep directions apart."""
    cells = page.locator("table.review tbody td:first-of-type").all_inner_texts()
    return [re.sub("[\u2067-\u2069]", "", cell) for cell in cells]
