"""What a respondent does with the page, in the words of the page."""

import json
import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, Request, expect

# A function for the browser: does one thing with the receipts and gives back its result.
OUTBOX = """(mode, act) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("candor");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const work = opening.result.transaction("receipts", mode);
    const asked = act(work.objectStore("receipts"));
    work.oncomplete = () => { opening.result.close(); resolve(asked.result); };
    work.onabort = () => reject(work.error);
  };
})"""
# Every text of an unfinished turn, which is in a file of its own.
TURNS = """async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle("candor-turns").catch(() => new Map());
  return Array.fromAsync(folder.values(), async (file) => (await file.getFile()).text());
}"""
# Where one question is on the screen at a time, the buttons lead to the others.
TURN_TO = """(number) => {
  const cards = [...document.querySelectorAll(".question")];
  const wanted = cards[number];
  const press = (name) => document.querySelector(`.questions .${name}`).click();
  const current = () => cards.findIndex((card) => card.matches(".current"));
  for (let tries = cards.length; tries > 0; tries--) {
    if (wanted.hidden || wanted.checkVisibility()) return;
    press(current() < number ? "next" : "back");
  }
}"""
UNSENT = "Your answers have not been sent yet"
RECEIPT = "Thank you. Your randomized answers are stored."


def open_survey(page: Page, link: str) -> None:
    """Open a survey, agree if it asks for that, and wait until a question can be answered."""
    # A tab in the background draws nothing, and clicking there waits for ever.
    page.bring_to_front()
    page.goto(link)
    go_in(page)


def go_in(page: Page) -> None:
    """Agree and begin, where a page asks for that, and wait until a question can be answered."""
    inside = "fieldset.questions input"
    expect(page.locator(f".consent .button, .entrance .button, {inside}").first).to_be_attached()
    if page.locator(".consent").count():
        agree(page)
        expect(page.locator(f".entrance .button, {inside}").first).to_be_attached()
    if page.locator(".entrance").count():
        begin(page)
    expect(page.locator(inside).first).to_be_enabled()


def agree(page: Page) -> None:
    """Go on from the consent page, in any language."""
    page.locator(".consent .button").click()


def begin(page: Page) -> None:
    """Exchange the link for a ticket, in any language."""
    page.locator(".entrance .button").first.click()


def card(page: Page, number: int) -> Locator:
    """A question, brought to the screen if it is not hidden by skip logic."""
    page.evaluate(TURN_TO, number)
    return page.locator(".question").nth(number)


def choose(page: Page, labels: Sequence[str]) -> None:
    """Answer every question with the option of that label."""
    assert page.locator(".question").count() == len(labels)
    for number, label in enumerate(labels):
        card(page, number).get_by_role("radio", name=label, exact=True).check()


def turn_to_last(page: Page) -> None:
    """The question that the review comes after."""
    last = "[...document.querySelectorAll('.question')].findLastIndex((card) => !card.hidden)"
    card(page, page.evaluate(last))


def press_review(page: Page) -> None:
    """The button under the last question."""
    turn_to_last(page)
    page.get_by_role("button", name="Review").click()


def review(page: Page) -> None:
    press_review(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Before anything is sent")


def ready_to_send(page: Page, link: str, labels: Sequence[str]) -> None:
    """As far as the review, where one press is missing."""
    open_survey(page, link)
    choose(page, labels)
    review(page)


def send(page: Page) -> None:
    page.get_by_role("button", name="Send", exact=True).click()


def press_back(page: Page, button: str = "back") -> None:
    """The browser's own Back button, as a mouse has it: the page cannot tell it from others."""
    mouse = page.context.new_cdp_session(page)
    for event, buttons in (
        ("mousePressed", {"back": 8, "forward": 16}[button]),
        ("mouseReleased", 0),
    ):
        where = {"x": 5, "y": 300, "button": button, "buttons": buttons, "clickCount": 1}
        mouse.send("Input.dispatchMouseEvent", {"type": event, **where})
    mouse.detach()


def press_forward(page: Page) -> None:
    """The button that undoes Back; a script of the page could be cut off by its own reload."""
    press_back(page, "forward")


def expect_receipt(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(RECEIPT)


def answer(page: Page, link: str, labels: Sequence[str]) -> None:
    """The whole way from the link to the receipt."""
    ready_to_send(page, link, labels)
    send(page)
    expect_receipt(page)


def words_in(text: str) -> int:
    return len(re.findall(r"[\w'’:,.-]*\w", text))


class HandIns:
    """Every report that the device's pages try to hand in, with its ticket."""

    def __init__(self, context: BrowserContext) -> None:
        self.sent: list[tuple[str, str | None]] = []
        context.on("request", self._note)

    def _note(self, request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/reports"):
            self.sent.append((request.headers["candor-ticket"], request.post_data))

    @property
    def different(self) -> set[tuple[str, str | None]]:
        return set(self.sent)


def kept(page: Page) -> dict[str, Any]:
    """The one thing that the device keeps: a ticket, a report that waits, or a receipt."""
    (one,) = all_kept(page)
    return one


def all_kept(page: Page) -> list[dict[str, Any]]:
    """Everything that the device keeps, but for the marks of reports that wait."""
    return [*turns(page), *(one for one in receipts(page) if one != {"drawn": True})]


def turns(page: Page) -> list[dict[str, Any]]:
    """Everything of unfinished turns."""
    texts: list[str] = page.evaluate(TURNS)
    return [json.loads(text) for text in texts]


def receipts(page: Page) -> list[dict[str, Any]]:
    """Every receipt, and every mark of a report that waits; the page has opened them before."""
    found: list[dict[str, Any]] = page.evaluate(f"({OUTBOX})('readonly', (box) => box.getAll())")
    return found
