"""One link, one ticket, one report: wherever a device is stopped, and however many tabs it has."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.respondent import (
    UNSENT,
    begin,
    choose,
    expect_receipt,
    go_in,
    open_survey,
    receipts,
    review,
    send,
    turns,
)
from tests.browser.stand import CODE, HOST, Answer, Stand
from tests.browser.surveys import HABITS

TRUTH = ["Yes", "No", "Not now"]
AGAIN = "Please try again"
COLLECTED = "Ticket collected"
LATER = "Kept for another day"
# A browser without files of its own, such as some private windows have.
NO_FILES = "delete FileSystemFileHandle.prototype.createWritable"
# What stands in the database instead of files.
IN_DATABASE = """() => new Promise((resolve) => {
  indexedDB.open("candor").onsuccess = ({ target: { result } }) => {
    const asked = result.transaction("turns").objectStore("turns").getAll();
    asked.onsuccess = () => { result.close(); resolve(asked.result.map(JSON.parse)); };
  };
})"""


@pytest.fixture
def stand(context: BrowserContext) -> Stand:
    own = Stand(HABITS)
    own.serve(context)
    return own


def title(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def losing(stand: Stand, resource: str, is_answered: bool) -> Callable[[Request], Answer | None]:
    """Requests that are lost on the way, or whose answers are."""

    def lose(request: Request) -> Answer | None:
        if not request.url.endswith(resource):
            return stand.honest(request)
        if is_answered:
            stand.honest(request)
        return None

    return lose


def press_begin(page: Page) -> None:
    begin(page)
    title(page, AGAIN)


def collect(page: Page) -> None:
    page.get_by_role("button", name="Only collect my ticket").click()
    title(page, COLLECTED)


def answer(page: Page) -> None:
    go_in(page)
    choose(page, TRUTH)


def draw(page: Page) -> None:
    answer(page)
    review(page)


def postpone(page: Page) -> None:
    draw(page)
    page.get_by_role("button", name="Send another day").click()
    title(page, LATER)


def fail_to_send(page: Page) -> None:
    title(page, UNSENT)


# How far a page gets before it is stopped, and what is lost on the way: a resource, and whether it
# has been answered by then.
Stop = tuple[Callable[[Page], None], str, bool]
STOPS: list[Stop] = [
    (lambda page: expect(page.locator(".entrance")).to_be_visible(), "", False),
    (press_begin, "/tickets", False),
    (press_begin, "/tickets", True),
    (collect, "", False),
    (lambda page: title(page, HABITS["title"]), "", False),
    (answer, "", False),
    (draw, "", False),
    (postpone, "/reports", False),
    (fail_to_send, "/reports", False),
    (fail_to_send, "/reports", True),
    (expect_receipt, "", False),
    (expect_receipt, "", False),
]


@pytest.mark.parametrize("kept_in", ["files", "database"])
def test_a_device_that_is_stopped_between_any_two_steps_has_one_ticket_and_one_report(
    context: BrowserContext, stand: Stand, kept_in: str
) -> None:
    if kept_in == "database":
        context.add_init_script(NO_FILES)
    seen = []
    for far, resource, is_answered in STOPS:
        stand.answer = losing(stand, resource or "/none", is_answered)
        page = context.new_page()
        page.goto(stand.link())
        far(page)
        seen.append(page.evaluate(IN_DATABASE) if kept_in == "database" else turns(page))
        page.close()
    steps = [sorted(turn.keys()) for (turn,) in seen[1:-2]]
    assert steps == [["asked"]] * 2 + [["ticket"]] * 4 + [["body", "ticket"]] * 3
    assert seen[0] == seen[-1] == seen[-2] == []
    # The same bytes whenever it asked, and whenever it sent; nothing was drawn a second time.
    assert len(stand.sent("tickets")) == 3
    assert len({json.dumps(asked) for asked in stand.sent("tickets")}) == 1
    assert len(stand.sent("reports")) == 3
    assert len({json.dumps(sent) for sent in stand.sent("reports")}) == 1
    assert len(stand.stored) == 1


def test_before_it_asks_the_device_keeps_what_uncovers_and_after_that_only_the_ticket(
    page: Page, stand: Stand
) -> None:
    stand.answer = losing(stand, "/tickets", is_answered=True)
    page.goto(stand.link())
    assert turns(page) == []
    press_begin(page)
    ((asked,),) = [turn["asked"] for turn in turns(page)]
    assert asked.keys() == {"fingerprint", "invitation", "nonce", "inv", "blinded"}
    assert (asked["fingerprint"], asked["invitation"]) == (stand.fingerprint, CODE)
    (sent,) = stand.sent("tickets")
    assert sent == {"invitation": CODE, "blinded": asked["blinded"]}
    # The tab still has its link, for a reload.
    assert page.evaluate("history.state") == {"invitation": CODE, "isSpare": True}
    stand.answer = stand.honest
    page.get_by_role("button", name="Try again").click()
    go_in(page)
    (kept,) = turns(page)
    assert kept.keys() == {"ticket"}
    assert kept["ticket"].startswith(asked["nonce"])
    assert page.evaluate("history.state") == {"isSpare": True}
    choose(page, TRUTH)
    review(page)
    send(page)
    expect_receipt(page)
    (handed_in,) = stand.sent("reports")
    assert handed_in["ticket"] == kept["ticket"]
    assert turns(page) == []
    (receipt,) = receipts(page)
    assert receipt.keys() == {"sent", "body"}


def test_two_tabs_that_begin_at_once_ask_for_one_ticket(
    context: BrowserContext, stand: Stand
) -> None:
    tabs = [context.new_page() for _ in range(3)]
    for tab in tabs:
        tab.goto(stand.link())
        expect(tab.locator(".entrance")).to_be_visible()
    for tab in tabs:
        tab.evaluate("setTimeout(() => document.querySelector('.entrance .button').click())")
    for tab in tabs:
        expect(tab.locator("fieldset.questions input").first).to_be_enabled()
    assert len(stand.sent("tickets")) == 1
    # All have the same ticket, so that only one report can come of it.
    for tab in tabs:
        tab.bring_to_front()
        choose(tab, TRUTH)
        review(tab)
    for tab in tabs:
        tab.evaluate("document.querySelector('.actions .button').click()")
    for tab in tabs:
        tab.bring_to_front()
        expect_receipt(tab)
    assert len(stand.sent("reports")) == len(stand.stored) == 1


def test_a_link_that_was_begun_elsewhere_says_so_and_a_new_one_gets_a_ticket_of_its_own(
    page: Page, stand: Stand
) -> None:
    stand.asked[CODE] = "something else"
    for _ in range(2):
        page.goto("about:blank")
        page.goto(stand.link())
        begin(page)
        title(page, "This link was begun elsewhere")
        expect(page.get_by_text("Continue there, or ask for a new link.")).to_be_visible()
        assert page.get_by_role("button").count() == 0
    first, again = stand.sent("tickets")
    assert first == again
    other = CODE[::-1]
    open_survey(page, stand.link(other))
    *_, new = stand.sent("tickets")
    assert new["invitation"] == other
    assert new["blinded"] != first["blinded"]


def test_a_code_that_is_typed_another_way_is_the_same_link(page: Page, stand: Stand) -> None:
    """A second covered message would lose the turn, and could be told apart from other people's."""
    stand.answer = losing(stand, "/tickets", is_answered=True)
    page.goto(stand.link())
    press_begin(page)
    stand.answer = stand.honest
    page.goto("about:blank")
    open_survey(page, f"{HOST}/s/{stand.survey.slug}#7K3MQ-2XW9-PBD4R")
    first, again = stand.sent("tickets")
    assert first == again


def test_a_ticket_that_was_collected_waits_for_its_day(context: BrowserContext, page: Page) -> None:
    stand = Stand({**HABITS, "answer_from": "2027-03-01"})
    stand.serve(context)
    page.clock.set_fixed_time("2027-02-28T23:59:59Z")
    page.goto(stand.link())
    expect(page.get_by_text("Answers are taken from 1 March 2027 on")).to_be_visible()
    (button,) = page.locator(".entrance .button").all()
    expect(button).to_have_text("Collect my ticket")
    button.click()
    for _ in range(2):
        title(page, COLLECTED)
        expect(page.get_by_text("Come back from 1 March 2027 on, on this device")).to_be_visible()
        assert page.locator("input, button").count() == 0
        page.reload()
    page.clock.set_fixed_time("2027-03-01T00:00:00Z")
    page.reload()
    go_in(page)
    choose(page, TRUTH)
    review(page)
    # It is another day already.
    expect(page.get_by_role("button", name="Send another day")).to_have_count(0)
    send(page)
    expect_receipt(page)
    assert (len(stand.sent("tickets")), len(stand.stored)) == (1, 1)


def test_what_is_kept_for_another_day_goes_out_only_when_somebody_comes_back_or_says_so(
    context: BrowserContext, stand: Stand
) -> None:
    page = context.new_page()
    page.goto(stand.link())
    postpone(page)
    (kept,) = turns(page)
    assert page.locator("input").count() == 0
    # A change of the connection is no visit.
    context.set_offline(True)
    context.set_offline(False)
    expect(page.get_by_text("the next time you open your link here")).to_be_visible()
    assert (turns(page), receipts(page), stand.sent("reports")) == ([kept], [], [])
    page.get_by_role("button", name="Send it now").click()
    expect_receipt(page)
    expect(page.get_by_text("Your true answers have been cleared")).to_be_visible()
    (sent,) = stand.sent("reports")
    assert sent == json.loads(kept["body"]) | {"ticket": kept["ticket"]}
