"""Every kind of question on the page, from its control to the stored report."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from client.authoring.draft.survey import build_survey
from client.wording.catalogue import ENGLISH
from client.wording.odds import describe_answer, describe_mark, describe_report, odds_sentences
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.kinds import (
    ANSWERS,
    OTHER_ANSWERS,
    give_answers,
    give_other_answers,
    marks,
    radio,
    reviewed,
    tick,
)
from tests.browser.respondent import card, expect_receipt, open_survey, review, send
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import EDGES, FOLLOW_UP, KINDS, LONG_LIST, SAMPLED

SURVEY = build_survey(KINDS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    drafts = (KINDS, FOLLOW_UP, SAMPLED, LONG_LIST, EDGES)
    with serving(tmp_path_factory.mktemp("kinds"), *drafts) as running:
        yield running


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/kinds"


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def any_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    size: ViewportSize = request.param
    device = browser.new_context(viewport=size)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def payload(page: Page) -> dict[str, Any]:
    text = page.locator(".payload").text_content() or ""
    assert len(text) == SURVEY.report_bytes
    randomized: dict[str, Any] = json.loads(text)["randomized"]
    return randomized


def test_every_kind_goes_the_whole_way_to_a_stored_report(
    any_page: Page, link: str, server: ServerProcess
) -> None:
    page = any_page
    open_survey(page, f"{link}#{SURVEY.fingerprint}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    give_answers(page)
    expect(page.get_by_text("8 of 8 answered")).to_be_visible()
    review(page)
    randomized = payload(page)
    assert reviewed(page) == [
        [
            question.prompt,
            describe_answer(question, ANSWERS[question.id], ENGLISH),
            describe_report(question, randomized[question.id], ENGLISH),
        ]
        for question in SURVEY.questions
    ]
    assert marks(page) == [
        describe_mark(question, ANSWERS[question.id], randomized[question.id], ENGLISH)
        for question in SURVEY.questions
    ]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    send(page)
    expect_receipt(page)
    assert randomized in server.reports("kinds")
    assert page.locator(".facts").first.locator("dd").all_inner_texts() == [
        describe_report(question, randomized[question.id], ENGLISH) for question in SURVEY.questions
    ]


def test_silence_and_none_are_answers_in_every_kind_that_has_them(page: Page, link: str) -> None:
    open_survey(page, link)
    give_answers(page)
    give_other_answers(page)
    review(page)
    assert [row[1] for row in reviewed(page)] == [
        describe_answer(question, OTHER_ANSWERS[question.id], ENGLISH)
        for question in SURVEY.questions
    ]


def test_every_mechanism_shows_both_sides_of_its_odds_and_its_maths(page: Page, link: str) -> None:
    open_survey(page, link)
    sentences = [
        sentence for question in SURVEY.questions for sentence in odds_sentences(question, ENGLISH)
    ]
    assert page.locator("figcaption").all_text_contents() == sentences
    page.get_by_text("The maths").click()
    rows = [row.inner_text().split("\t") for row in page.locator(".small-print tbody tr").all()]
    for row, question in zip(rows, SURVEY.questions, strict=True):
        mechanism = question.mechanism
        assert row[:4] == [
            question.id,
            "1",
            f"{mechanism.delivered_epsilon:.6f}",
            str(mechanism.threshold),
        ]
    assert page.locator(".small-print details li").count() == 7


def test_no_new_coins_are_tossed_for_a_changed_answer_of_any_kind(page: Page, link: str) -> None:
    open_survey(page, link)
    seen = []
    for give in (give_answers, give_other_answers, give_answers):
        give(page)
        review(page)
        seen.append(payload(page))
        page.get_by_role("button", name="Change answers").click()
    assert seen[0] == seen[2]
    # The box that is told about and the limit that is asked are drawn once, whatever the answer.
    assert seen[0]["conditions"][0][0] == seen[1]["conditions"][0][0]
    assert seen[0]["trust"][0] == seen[1]["trust"][0]


def test_ten_thousand_options_cost_fifty_elements(page: Page, server: ServerProcess) -> None:
    page.goto(f"{server.url}/s/long-list")
    field = page.locator("main").get_by_role("combobox")
    expect(field).to_be_enabled()
    assert page.locator("main *").count() < 200
    field.press_sequentially("PERSON 99")
    offered = [option.get_attribute("value") for option in page.locator("main option").all()]
    assert offered[:2] == ["Person 9900", "Person 9901"]
    assert len(offered) == 50
    field.fill("9876")
    assert page.locator("main option").first.get_attribute("value") == "Person 9876"
    field.fill("person 9876")
    review(page)
    assert reviewed(page)[0][1] == "Person 9876"
    # A set of thousands of names scrolls in its place.
    assert page.locator(".sends .long").evaluate("node => node.clientHeight") < 200
    send(page)
    expect_receipt(page)


def test_nothing_typed_survives_leaving_and_no_field_is_remembered(page: Page, link: str) -> None:
    open_survey(page, link)
    give_answers(page)
    for field in page.locator("input").all():
        assert field.get_attribute("autocomplete") == "off"
        assert field.get_attribute("name") is None
    assert card(page, 2).get_by_role("combobox").get_attribute("spellcheck") == "false"
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert page.locator("input:checked").count() == 0
    assert page.locator("input.field").evaluate_all("nodes => nodes.map((n) => n.value)") == [
        "",
        "",
    ]
    expect(page.get_by_text("0 of 8 answered")).to_be_visible()


def test_a_question_appears_with_the_answer_that_it_depends_on(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/follow-up")
    expect(card(page, 1)).to_be_hidden()
    assert card(page, 0).locator(".position").inner_text() == "Question 1 of 1"
    radio(card(page, 0), "Yes")
    expect(card(page, 1)).to_be_visible()
    assert card(page, 1).locator(".position").inner_text() == "Question 2 of 2"
    tick(card(page, 1), "Snus")
    expect(page.get_by_text("2 of 2 answered")).to_be_visible()
    radio(card(page, 0), "No")
    expect(card(page, 1)).to_be_hidden()
    expect(page.get_by_text("1 of 1 answered")).to_be_visible()
    review(page)
    # What will be sent for a hidden question is shown like everything else.
    assert [row[1] for row in reviewed(page)] == ["No", "Does not apply"]
    send(page)
    expect_receipt(page)
    (report,) = server.reports("follow-up")
    assert report["kinds"] is not None


def test_only_the_assigned_questions_are_asked_and_the_report_covers_all(
    browser: Browser, server: ServerProcess
) -> None:
    survey = build_survey(SAMPLED)
    asked_together = set()
    for _ in range(6):
        device = browser.new_context(viewport=PHONE)
        page = device.new_page()
        open_survey(page, f"{server.url}/s/sampled")
        assert page.locator(".position").all_text_contents() == [
            "Question 1 of 2",
            "Question 2 of 2",
        ]
        expect(page.get_by_text("All 2 answers together")).to_be_visible()
        prompts = page.locator(".prompt").all_text_contents()
        for number in range(2):
            radio(card(page, number), "Yes")
        review(page)
        assert [row[0] for row in reviewed(page)] == prompts
        text = page.locator(".payload").text_content() or ""
        assert len(text) == survey.report_bytes
        randomized = json.loads(text)["randomized"]
        assert [q.prompt for q in survey.questions if randomized[q.id] is not None] == prompts
        send(page)
        expect_receipt(page)
        assert page.locator(".facts").first.locator("dt").all_inner_texts() == prompts
        asked_together.add(tuple(prompts))
        device.close()
    # Six tickets for one of six pairs each: all the same once in 7,776 runs.
    assert len(asked_together) > 1


def test_a_long_scale_is_a_number_with_room_for_silence_and_the_device_may_draw(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, *server.invite("edges"))
    sure = card(page, 0)
    expect(sure.get_by_text("A whole number from 0 to 100.")).to_be_visible()
    sure.get_by_role("spinbutton").fill("50.5")
    sure.get_by_role("spinbutton").blur()
    expect(sure.get_by_role("alert")).to_have_text("Please type a whole number, such as 50 or 51.")
    radio(sure, "Prefer not to say")
    expect(sure.get_by_role("alert")).to_have_count(0)
    boxes = card(page, 1)
    # The author's own "None of these" is not offered twice.
    assert boxes.locator("label").all_inner_texts() == ["Cats", "Dogs", "None of these"]
    tick(boxes, "None of these")
    review(page)
    assert [row[1] for row in reviewed(page)] == ["Prefer not to say", "None of these"]
    send(page)
    expect_receipt(page)
    assert len(server.reports("edges")) == 1
