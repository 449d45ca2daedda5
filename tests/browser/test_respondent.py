"""A respondent's whole way: label, odds, questions, review, receipt, on phone and desktop."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from client.authoring.draft.survey import build_survey
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.kinds import reviewed
from tests.browser.respondent import (
    answer,
    card,
    choose,
    expect_receipt,
    open_survey,
    press_review,
    review,
    send,
    words_in,
)
from tests.browser.server_process import ServerProcess
from tests.browser.surveys import HABITS

SURVEY = build_survey(HABITS)
TRUTH = ["Yes", "No", "This year"]


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    size: ViewportSize = request.param
    device = browser.new_context(viewport=size)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/habits"


def test_the_whole_way_ends_with_one_stored_report(
    page: Page, link: str, server: ServerProcess
) -> None:
    before = len(server.reports("habits"))
    open_survey(page, f"{link}#{SURVEY.fingerprint}")
    choose(page, TRUTH)
    review(page)
    page.get_by_text("The exact message").click()
    payload = page.locator(".payload").inner_text()
    rows = reviewed(page)
    assert [row[:2] for row in rows] == [
        [question.prompt, chosen] for question, chosen in zip(SURVEY.questions, TRUTH, strict=True)
    ]
    send(page)
    expect_receipt(page)
    reports = server.reports("habits")
    assert len(reports) == before + 1
    # What the review announced, the message, the receipt and the database all say the same.
    sent = json.loads(payload)
    assert sent["fingerprint"] == SURVEY.fingerprint
    assert sent["randomized"] in reports
    labels = [q.options[sent["randomized"][q.id]] for q in SURVEY.questions]
    assert [row[2] for row in rows] == labels
    assert page.locator(".facts").first.locator("dd").all_inner_texts() == labels


def test_the_receipt_says_cost_fingerprint_deletion_day_and_where_the_results_are(
    page: Page, link: str
) -> None:
    answer(page, link, TRUTH)
    text = page.locator("main").inner_text()
    for fact in ("right for at most 88 of 100 people", SURVEY.fingerprint, "2031-12-31"):
        assert fact in text
    expect(page.get_by_role("button", name="Print this receipt")).to_be_visible()
    page.get_by_role("link", name="See the results").click()
    expect(page).to_have_url(f"{link}/results")


def test_consequences_come_first_and_at_most_120_words_stand_above_the_first_question(
    page: Page, link: str
) -> None:
    open_survey(page, link)
    text = page.locator("header.top").inner_text()
    assert text.index("Who can see your true answer?") < text.index("Your device sometimes swaps")
    for author in (HABITS["title"], HABITS["intro"]):
        assert author in text
    assert 60 < words_in(text) <= 120


def test_every_question_shows_both_sides_of_its_odds_with_icon_arrays(
    page: Page, link: str
) -> None:
    open_survey(page, link)
    sentences = [
        *("If your true answer is Yes, 73 of 100 people like you send Yes.",),
        *("If it is No, 27 of 100 send Yes.",),
        *("If your true answer is Yes, 62 of 100 people like you send Yes.",),
        *("If it is No, 38 of 100 send Yes.",),
        *("If your true answer is This year, 62 of 100 people like you send This year.",),
        *("If it is Not now, 38 of 100 send This year.",),
    ]
    assert page.locator("figcaption").all_text_contents() == sentences
    for number, solid in enumerate([73, 62, 62]):
        sides = zip(sentences[2 * number : 2 * number + 2], [solid, 100 - solid], strict=True)
        pictures = card(page, number).get_by_role("img")
        expect(pictures).to_have_count(2)
        for sentence, count in sides:
            picture = card(page, number).get_by_role("img", name=sentence)
            drawn = [path.get_attribute("d") or "" for path in picture.locator("path").all()]
            assert [path.count("M") for path in drawn] == [count, 100 - count]


def test_the_whole_survey_and_its_level_are_told_before_the_questions(
    page: Page, link: str
) -> None:
    open_survey(page, link)
    text = page.locator("header.top").inner_text()
    assert "All 3 answers together: someone's best guess about you would be right for" in text
    assert "at most 88 of 100 people. A blind guess is right for 50." in text
    # One scale: the others are for those who open the maths.
    for expert in ("50:50", "psilon", "protection", "cost"):
        assert expert not in text
    page.get_by_text("The maths").click()
    maths = page.locator(".small-print details[open]").inner_text()
    assert "Epsilon 2 for one person and the whole survey: good protection." in maths
    assert "from 50:50 to 88:12" in maths


def test_an_unanswered_question_is_named_and_focused(page: Page, link: str) -> None:
    open_survey(page, link)
    card(page, 0).get_by_role("radio", name="Yes").check()
    press_review(page)
    expect(page.get_by_role("alert")).to_have_text(
        "Please answer 2 more questions, starting with question 2: "
        "Have you let somebody else take the blame?"
    )
    expect(page.get_by_role("radio", name="No").and_(page.locator(":focus"))).to_be_visible()
    expect(page.locator(".question").nth(1).locator(":focus")).to_have_count(1)
    expect(page.get_by_text("1 of 3 answered")).to_be_visible()


def test_changing_an_answer_after_the_review_tosses_no_new_coins(page: Page, link: str) -> None:
    open_survey(page, link)
    flips: list[list[bool]] = []
    for truth in (TRUTH, ["No", "Yes", "Not now"], TRUTH, ["Yes", "Yes", "Not now"]):
        choose(page, truth)
        review(page)
        rows = reviewed(page)
        flips.append([chosen == sent for _, chosen, sent in rows])
        page.get_by_role("button", name="Change answers").click()
    assert all(flip == flips[0] for flip in flips)


def test_authors_markup_is_shown_as_text(page: Page, server: ServerProcess) -> None:
    hostile = '<img src=x onerror="document.title=1">&amp;{count}$&'
    slug = server.publish(
        {
            **HABITS,
            "slug": "markup",
            "title": hostile,
            "intro": hostile,
            "organizer": hostile,
            "questions": [
                {"id": "q1", "prompt": hostile, "epsilon": "1", "options": [hostile, f"{hostile}2"]}
            ],
        }
    )
    open_survey(page, f"{server.url}/s/{slug}")
    expect(page.get_by_role("heading", level=1)).to_have_text(hostile)
    choose(page, [hostile])
    review(page)
    assert page.locator("main img").count() == 0
    assert page.title() == hostile


def test_nothing_chosen_survives_leaving_the_page(page: Page, link: str) -> None:
    open_survey(page, link)
    choose(page, TRUTH)
    page.goto("about:blank")
    page.go_back()
    expect(page.get_by_role("radio").first).to_be_enabled()
    assert page.locator("input:checked").count() == 0


def test_leaving_clears_the_answers_even_if_the_browser_keeps_the_page(
    page: Page, link: str
) -> None:
    open_survey(page, link)
    choose(page, TRUTH)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert page.locator("input:checked").count() == 0
    press_review(page)
    expect(page.get_by_role("alert")).to_contain_text("Please answer 3 more questions")


def test_the_maths_and_the_limits_are_on_the_page(page: Page, link: str) -> None:
    open_survey(page, link)
    page.get_by_text("The maths").click()
    row = page.locator(".small-print tbody tr").first.inner_text().split("\t")
    assert row == ["asleep", "1", "1.000000", "3139872686", "0.731059", "0.268941"]
    foot = page.locator(".small-print").inner_text()
    assert "What is not protected" in foot
    assert "A dishonest operator could serve other code" in foot


def test_nothing_on_the_page_is_wider_than_the_window(page: Page, link: str) -> None:
    open_survey(page, link)
    page.get_by_text("The maths").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    choose(page, TRUTH)
    review(page)
    page.get_by_text("The exact message").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_target_is_large_enough_for_a_thumb(page: Page, link: str) -> None:
    open_survey(page, link)
    page.get_by_text("Check this page", exact=True).click()
    for target in page.locator(":is(label.choice, button, summary):visible").all():
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44
