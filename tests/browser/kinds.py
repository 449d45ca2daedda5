"""Two sets of true answers to the survey with every kind of question, and hands to give them."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.respondent import card

ANSWERS: dict[str, Any] = {
    **{"smokes": 1, "region": 4, "name": 120, "conditions": [0, 2], "fears": [0, 4]},
    **{"trust": 7, "drinks": 7, "both": 5},
}
OTHER_ANSWERS: dict[str, Any] = {
    **{"smokes": 0, "region": 1, "name": 300, "conditions": [6], "fears": []},
    **{"trust": 0, "drinks": 120, "both": 6},
}


def radio(place: Locator, label: str) -> None:
    place.get_by_role("radio", name=label, exact=True).check()


def tick(place: Locator, *labels: str) -> None:
    for label in labels:
        place.get_by_role("checkbox", name=label, exact=True).check()


def tick_conditions(boxes: Locator) -> None:
    for box in boxes.get_by_role("checkbox").all():
        box.uncheck()
    tick(boxes, "Asthma", "Migraine")


def both_sides(place: Locator) -> None:
    radio(place, "Yes")
    radio(place, "Often")


# How each of `ANSWERS` is given, at its question.
HANDS: dict[str, Callable[[Locator], None]] = {
    "smokes": lambda place: radio(place, "Yes"),
    "region": lambda place: radio(place, "Prefer not to say"),
    "name": lambda place: place.get_by_role("combobox").fill("name 120"),
    "conditions": tick_conditions,
    "fears": lambda place: tick(place, "Money", "War"),
    "trust": lambda place: radio(place, "7"),
    "drinks": lambda place: place.get_by_role("spinbutton").fill("3.5"),
    "both": both_sides,
}


def give_answers(page: Page) -> None:
    """`ANSWERS`, by hand."""
    for number, give in enumerate(HANDS.values()):
        give(card(page, number))


def give_other_answers(page: Page) -> None:
    """`OTHER_ANSWERS`, by hand."""
    radio(card(page, 0), "No")
    radio(card(page, 1), "East")
    radio(card(page, 2), "Prefer not to say")
    tick(card(page, 3), "Prefer not to say")
    tick(card(page, 4), "None of these")
    radio(card(page, 5), "0")
    card(page, 6).get_by_role("spinbutton").fill("60")
    radio(card(page, 7), "Prefer not to say")


def checked(place: Locator) -> list[str]:
    """The labels of what is chosen there."""
    return place.locator("label:has(:checked)").all_inner_texts()


def reviewed(page: Page) -> list[list[str]]:
    """Question, what was chosen, what will be sent: the rows of the review."""
    rows = page.locator(".review tbody tr").all()
    return [row.locator("th, td:not(.mark)").all_inner_texts() for row in rows]


def marks(page: Page) -> list[str]:
    """What chance did with each answer, as the review says."""
    return page.locator(".review .mark").all_inner_texts()
