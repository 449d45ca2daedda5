"""What is no answer is refused at its question with a sentence that helps; nothing is sent."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.kinds import checked, give_answers, radio, reviewed, tick
from tests.browser.respondent import card, open_survey, press_review, review
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import KINDS


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("refused"), KINDS) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """All questions in sight, so that the last look finds what was passed by."""
    device = browser.new_context(viewport=DESKTOP)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/kinds"


def test_too_many_boxes_are_refused_with_a_sentence_that_helps(page: Page, link: str) -> None:
    open_survey(page, link)
    give_answers(page)
    boxes = card(page, 4)
    tick(boxes, "Age")
    sentence = "You ticked 3, and at most 2 can be counted. Please take away 1."
    expect(boxes.get_by_role("alert")).to_have_text(sentence)
    expect(page.get_by_text("7 of 8 answered")).to_be_visible()
    press_review(page)
    expect(boxes.get_by_role("checkbox", name="Money")).to_be_focused()
    expect(page.locator(".review")).to_have_count(0)
    boxes.get_by_role("checkbox", name="War").uncheck()
    expect(boxes.get_by_role("alert")).to_have_count(0)
    review(page)


def test_a_box_for_silence_stands_alone(page: Page, link: str) -> None:
    open_survey(page, link)
    boxes = card(page, 3)
    tick(boxes, "Asthma", "Gout", "Prefer not to say")
    assert checked(boxes) == ["Prefer not to say"]
    tick(boxes, "None of these")
    assert checked(boxes) == ["None of these"]
    tick(boxes, "Eczema")
    assert checked(boxes) == ["Eczema"]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("61", "Please type a number from 0 to 60."),
        ("-1", "Please type a number from 0 to 60."),
        ("3.3", "This goes in steps of 0.5. Please type 3 or 3.5."),
        ("0.0000001", "Please type a number from 0 to 60, in digits."),
        ("1e1", "Please type a number from 0 to 60, in digits."),
        ("99999999999999999999", "Please type a number from 0 to 60, in digits."),
    ],
)
def test_a_number_off_the_grid_or_out_of_range_is_refused(
    page: Page, link: str, typed: str, sentence: str
) -> None:
    open_survey(page, link)
    give_answers(page)
    field = card(page, 6).get_by_role("spinbutton")
    field.fill(typed)
    # Nothing is said in the middle of typing.
    expect(card(page, 6).get_by_role("alert")).to_have_count(0)
    press_review(page)
    expect(card(page, 6).get_by_role("alert")).to_have_text(sentence)
    expect(field).to_be_focused()
    expect(page.locator(".review")).to_have_count(0)
    field.fill("60.0")
    expect(card(page, 6).get_by_role("alert")).to_have_count(0)
    review(page)
    assert reviewed(page)[6][1] == "60 litres"


def test_a_text_that_is_no_option_is_refused(page: Page, link: str) -> None:
    open_survey(page, link)
    give_answers(page)
    field = card(page, 2).get_by_role("combobox")
    field.fill("Name 12")
    press_review(page)
    expect(card(page, 2).get_by_role("alert")).to_contain_text("“Name 12” is not in the list.")
    expect(field).to_be_focused()
    expect(page.locator(".review")).to_have_count(0)


def test_typing_and_silence_exclude_each_other(page: Page, link: str) -> None:
    open_survey(page, link)
    names = card(page, 2)
    names.get_by_role("combobox").fill("Name 007")
    radio(names, "Prefer not to say")
    expect(names.get_by_role("combobox")).to_have_value("")
    names.get_by_role("combobox").press_sequentially("Name 0")
    assert checked(names) == []
    sides = card(page, 7)
    radio(sides, "Prefer not to say")
    radio(sides, "Often")
    assert checked(sides) == ["Often"]
    expect(page.get_by_text("0 of 8 answered")).to_be_visible()


def test_half_of_a_cross_question_is_no_answer_and_the_other_half_is_asked_for(
    page: Page, link: str
) -> None:
    open_survey(page, link)
    give_answers(page)
    radio(card(page, 7), "Prefer not to say")
    radio(card(page, 7), "Yes")
    press_review(page)
    expect(page.get_by_role("alert")).to_have_text("Please answer question 8: Two things about you")
    expect(card(page, 7).get_by_role("radio", name="Never")).to_be_focused()
