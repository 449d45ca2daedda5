"""A new version while the page is open: told, asked again, and nothing is sent to the old one."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from client.authoring.draft.survey import build_survey
from client.core.primitives.words import secure_hex
from tests.browser.axe import violations
from tests.browser.kinds import checked, give_answers, give_other_answers
from tests.browser.respondent import (
    HandIns,
    all_kept,
    card,
    expect_receipt,
    open_survey,
    ready_to_send,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import FOLLOW_UP, HABITS, KINDS

TRUTH = ["Yes", "No", "Not now"]
CHANGED = "This survey was changed"


class Changing:
    """A survey of a name of its own, which can be published again with changes."""

    def __init__(self, server: ServerProcess, draft: dict[str, Any]) -> None:
        self._server = server
        self.draft = {**draft, "slug": f"s{secure_hex(1)}"}
        self.slug = server.publish(self.draft)
        self.link = f"{server.url}/s/{self.slug}"

    def change(self, **fields: Any) -> None:
        self._server.publish({**self.draft, "title": "Changed", **fields}, new_version=True)

    @property
    def reports(self) -> list[dict[str, Any]]:
        return self._server.reports(self.slug)


Publish = Callable[[dict[str, Any]], Changing]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("changing")) as running:
        yield running


@pytest.fixture
def publish(server: ServerProcess) -> Publish:
    return lambda draft: Changing(server, draft)


def expect_asked_again(page: Page) -> None:
    notice = page.get_by_role("alert").first
    expect(notice).to_contain_text(CHANGED)
    expect(notice).to_contain_text("Nothing has been sent.")
    expect(notice).to_be_in_viewport()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()


def ticked(page: Page) -> list[list[str]]:
    """The labels of what is chosen, by question."""
    return [checked(question) for question in page.locator(".question").all()]


def column(page: Page, number: int) -> list[str]:
    """What the review says the person chose (0), or what will be sent (1)."""
    return page.locator(f".review tbody td:nth-of-type({number + 1})").all_inner_texts()


def test_answers_to_unchanged_questions_stay_and_the_others_are_asked_anew(
    page: Page, context: BrowserContext, publish: Publish
) -> None:
    hand_ins, survey = HandIns(context), publish(HABITS)
    ready_to_send(page, survey.link, TRUTH)
    asleep, blame, leaving = HABITS["questions"]
    survey.change(
        questions=[
            # The same question, better protected; another wording; another option.
            {**asleep, "epsilon": "0.5"},
            {**blame, "prompt": "Have you taken the blame for somebody else?"},
            {**leaving, "options": ["Not now", "This decade"]},
        ]
    )
    send(page)
    expect_asked_again(page)
    assert page.title() == "Changed"
    assert ticked(page) == [["Yes"], [], []]
    expect(page.locator(".progress")).to_have_text("1 of 3 answered")
    assert violations(page) == []
    assert (hand_ins.sent, all_kept(page)) == ([], [])

    card(page, 1).get_by_role("radio", name="No").check()
    card(page, 2).get_by_role("radio", name="This decade").check()
    review(page)
    send(page)
    expect_receipt(page)
    assert len(hand_ins.sent) == len(all_kept(page)) == len(survey.reports) == 1


def test_who_has_sent_a_report_to_another_version_is_told_that_both_add_up(
    page: Page, publish: Publish, server: ServerProcess
) -> None:
    survey, said = publish(HABITS), page.get_by_role("note")
    server.rehearse(survey.draft)
    ready_to_send(page, f"{server.url}/t/{survey.slug}", TRUTH)
    send(page)
    expect_receipt(page)
    open_survey(page, survey.link)
    expect(said).to_have_count(0)
    ready_to_send(page, survey.link, TRUTH)
    send(page)
    expect_receipt(page)
    survey.change()
    open_survey(page, survey.link)
    expect(said).to_contain_text("If you answer again, others can guess better")
    assert violations(page) == []


@pytest.mark.parametrize("give", [give_answers, give_other_answers])
def test_every_kind_of_answer_is_taken_over(
    page: Page, publish: Publish, give: Callable[[Page], None]
) -> None:
    """Silence and "none of these" are among the answers."""
    survey = publish(KINDS)
    open_survey(page, survey.link)
    give(page)
    review(page)
    chosen = column(page, 0)
    survey.change()
    send(page)
    expect_asked_again(page)
    review(page)
    assert column(page, 0) == chosen
    assert len(chosen) == len(KINDS["questions"])


def test_a_question_that_was_hidden_is_asked_and_not_answered_for_anybody(
    page: Page, publish: Publish
) -> None:
    survey = publish(FOLLOW_UP)
    ready_to_send_first(page, survey.link, "No")
    smokes, kinds = FOLLOW_UP["questions"]
    survey.change(questions=[smokes, {**kinds, "show_if": {"question": "smokes", "is": ["No"]}}])
    send(page)
    expect_asked_again(page)
    expect(card(page, 1)).to_be_visible()
    assert ticked(page) == [["No"], []]


def ready_to_send_first(page: Page, link: str, label: str) -> None:
    open_survey(page, link)
    page.locator(".question").first.get_by_role("radio", name=label).check()
    review(page)


def test_the_coins_are_tossed_anew_since_nothing_of_the_first_toss_was_sent(
    page: Page, publish: Publish
) -> None:
    # A generator whose first three words keep every answer, and whose next ones swap it.
    page.add_init_script(
        """Crypto.prototype.getRandomValues = (words) =>
          words.fill(0, 0, 3).fill(0xffffffff, 3)"""
    )
    survey = publish(HABITS)
    ready_to_send(page, survey.link, TRUTH)
    assert column(page, 1) == TRUTH
    page.get_by_role("button", name="Change answers").click()
    review(page)
    assert column(page, 1) == TRUTH
    survey.change()
    send(page)
    expect_asked_again(page)
    review(page)
    assert (column(page, 0), column(page, 1)) == (TRUTH, ["No", "Yes", "This year"])


def test_a_link_that_pins_the_questions_is_not_led_to_others(
    page: Page, context: BrowserContext, publish: Publish
) -> None:
    hand_ins, survey = HandIns(context), publish(HABITS)
    ready_to_send(page, f"{survey.link}#{build_survey(survey.draft).fingerprint}", TRUTH)
    survey.change()
    send(page)
    expect(page.get_by_text("fingerprint in your link does not match")).to_be_visible()
    expect(page.get_by_text("Nothing was sent.")).to_be_visible()
    assert page.locator("input, button").count() == 0
    assert (hand_ins.sent, all_kept(page)) == ([], [])


def test_a_server_that_gives_no_ticket_for_the_new_version_is_asked_again_and_no_answer_is_lost(
    page: Page, publish: Publish
) -> None:
    survey = publish(HABITS)
    ready_to_send(page, survey.link, TRUTH)
    survey.change()
    page.route("**/tickets", lambda route: route.abort(), times=1)
    send(page)
    expect(page.get_by_text("out of reach")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect_asked_again(page)
    assert ticked(page) == [[label] for label in TRUTH]


def test_a_version_that_overtakes_the_report_is_told_and_nothing_is_drawn_again(
    page: Page, context: BrowserContext, publish: Publish
) -> None:
    """The report has left the device, its words are gone, and no second draw is made."""
    hand_ins, survey = HandIns(context), publish(HABITS)
    ready_to_send(page, survey.link, TRUTH)

    def overtake(route: Route) -> None:
        survey.change()
        route.continue_()

    page.route("**/reports", overtake)
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(CHANGED)
    expect(page.get_by_text("so they were not counted")).to_be_visible()
    assert violations(page) == []
    assert page.locator("input").count() == 0
    assert len(hand_ins.sent) == 1
    assert survey.reports == []
    page.get_by_role("button", name="Open the new version").click()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    assert page.locator("input:checked").count() == 0
