"""What a respondent does with the page, in the words of the page."""

import re
from collections.abc import Sequence

from playwright.sync_api import Page, expect

RECEIPT = "Thank you. Your report is stored."


def open_survey(page: Page, link: str) -> None:
    """Open a survey and wait until its first question can be answered."""
    page.goto(link)
    expect(page.locator("fieldset.questions input").first).to_be_enabled()


def choose(page: Page, labels: Sequence[str]) -> None:
    """Answer every question with the option of that label."""
    for group, label in zip(page.get_by_role("radiogroup").all(), labels, strict=True):
        group.get_by_role("radio", name=label, exact=True).check()


def review(page: Page) -> None:
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Before anything is sent")


def send(page: Page) -> None:
    page.get_by_role("button", name="Send").click()


def expect_receipt(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(RECEIPT)


def answer(page: Page, link: str, labels: Sequence[str]) -> None:
    """The whole way from the link to the receipt."""
    open_survey(page, link)
    choose(page, labels)
    review(page)
    send(page)
    expect_receipt(page)


def words_in(text: str) -> int:
    return len(re.findall(r"[\w'’:,.-]*\w", text))
