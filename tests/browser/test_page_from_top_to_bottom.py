"""Everything a respondent must be told, in this order."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from client.authoring.draft.survey import build_survey
from client.wording.catalogue import ENGLISH
from client.wording.odds import odds
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.kinds import HANDS, give_answers
from tests.browser.respondent import card, expect_receipt, open_survey, review, send, words_in
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import KINDS

# For each epsilon, how many questions fit under the cap of a whole survey.
EPSILONS = {"0.5": 8, "1": 8, "1.01": 8, "2": 5, "4": 2, "4.1": 2}
# The elements in their order; those of a question are on the screen when it is.
TOP = [
    *(".top h1", ".label h2", ".consequence:nth-child(1)", ".consequence:nth-child(4)"),
    *(".label .whole", ".label .visible", ".process"),
]
QUESTION = [
    f".question.current {part}"
    for part in ("legend", ".odds-side:nth-child(1)", ".odds-side:nth-child(2)", "input")
]
FOOT = [".progress", ".small-print h2", ".small-print summary"]
# Tops of what can be seen, in the order of the list; what is not there, or not to be seen, is null.
TOPS = """(selectors) => selectors.map((selector) => {
  const nodes = [...document.querySelectorAll(selector)];
  const node = nodes.find((found) => found.checkVisibility());
  return node ? node.getBoundingClientRect().top + scrollY : null;
})"""
FORBIDDEN = r"anonym|100 ?% private|impossible|\blies?\b|\blying\b|fake|false|corrupt|\bnoise"


def drafts_at(epsilon: str) -> Iterator[dict[str, Any]]:
    """The survey with every kind, in as many parts as it takes."""
    questions = [{**question, "epsilon": epsilon} for question in KINDS["questions"]]
    for first in range(0, len(questions), EPSILONS[epsilon]):
        slug = f"at-{epsilon.replace('.', '-')}" + (f"-{first}" if first else "")
        part = questions[first : first + EPSILONS[epsilon]]
        yield {**KINDS, "slug": slug, "questions": part}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("from-top-to-bottom")
    parts = [draft for epsilon in EPSILONS for draft in drafts_at(epsilon)]
    with serving(folder, *parts) as running:
        yield running


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def test_every_element_is_there_in_its_order(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/at-0-5")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            for number in range(8):
                card(page, number).locator("input").first.focus()
                first = size == DESKTOP or number == 0
                tops = page.evaluate(TOPS, [*(TOP if first else TOP[:1]), *QUESTION, *FOOT])
                assert None not in tops, (size, number, tops)
                assert tops == sorted(tops), (size, number)
            if size == PHONE:
                assert page.evaluate(TOPS, TOP[1:]) == [None] * 6
                card(page, 0)
    assert page.locator(".consequence").count() == 4
    assert words_in(page.locator(".top").inner_text()) <= 120


def test_every_icon_array_is_a_static_picture_named_by_its_sentence(
    page: Page, server: ServerProcess
) -> None:
    page.set_viewport_size(DESKTOP)
    open_survey(page, f"{server.url}/s/at-1-01")
    captions = page.locator("figcaption").all_inner_texts()
    expect(page.locator("figure").get_by_role("img")).to_have_count(2 * 8)
    for caption, picture in zip(captions, page.locator("figure svg").all(), strict=True):
        expect(picture).to_have_accessible_name(caption)
        # Solid discs and hollow rings, a hundred of them, and nothing that could move.
        solid, hollow = picture.locator("*").all()
        drawn = [node.get_attribute("d") or "" for node in (solid, hollow)]
        assert sum(path.count("M") for path in drawn) == 100
        assert [node.get_attribute("fill") for node in (solid, hollow)] == ["currentColor", "none"]
    for truth, other in zip(captions[::2], captions[1::2], strict=True):
        assert not re.search(r"\d\.\d|epsilon|ε", truth + other)
        wholes = [re.findall(r"of ([\d,]+)", side)[-1] for side in (truth, other)]
        assert wholes[0] == wholes[1]


def test_no_two_epsilons_read_the_same_for_any_kind_and_the_chosen_option_has_its_odds(
    page: Page, server: ServerProcess
) -> None:
    page.set_viewport_size(DESKTOP)
    sides, chosen = defaultdict(set), defaultdict(set)
    for draft in (draft for epsilon in EPSILONS for draft in drafts_at(epsilon)):
        open_survey(page, f"{server.url}/s/{draft['slug']}")
        for number, question in enumerate(build_survey(draft).questions):
            place = card(page, number)
            expect(place.locator(".chosen")).to_be_hidden()
            HANDS[question.id](place)
            text = place.locator(".chosen").text_content() or ""
            numbers = map(ENGLISH.number, odds(question))
            assert text == "" or all(re.search(rf"\b{number}\b", text) for number in numbers)
            chosen[question.id].add(text)
            sides[question.id].add(" ".join(place.locator("figcaption").all_inner_texts()))
    # Two options need no more words than both sides of the odds.
    assert chosen.pop("smokes") == {""}
    for distinct in (*sides.values(), *chosen.values()):
        assert len(distinct) == len(EPSILONS), distinct


def test_the_chosen_option_is_named_and_the_words_follow_every_change(
    page: Page, server: ServerProcess
) -> None:
    page.set_viewport_size(PHONE)
    open_survey(page, f"{server.url}/s/at-1")
    region = card(page, 1)
    region.get_by_role("radio", name="East").check()
    expect(region.locator(".chosen")).to_have_text(
        "If yours is East, it is sent for 40 of 100 people; if not, for 15 of 100."
    )
    region.get_by_role("radio", name="West").check()
    expect(region.locator(".chosen")).to_contain_text("If yours is West,")
    fears = card(page, 4)
    fears.get_by_role("checkbox", name="None of these").check()
    expect(fears.locator(".chosen")).to_have_text(
        "You ticked none. Each option is among those sent for 7 of 100 people."
    )
    for name in ("Money", "War"):
        fears.get_by_role("checkbox", name=name).check()
    expect(fears.locator(".chosen")).to_have_text(
        "You ticked Money, War. Each is among those sent for 20 of 100 people; "
        "any other option, for 7 of 100."
    )
    fears.get_by_role("checkbox", name="Age").check()
    expect(fears.locator(".chosen")).to_be_hidden()


def test_review_and_receipt_follow_and_no_forbidden_word_is_on_any_of_them(
    context: BrowserContext, server: ServerProcess
) -> None:
    page = context.new_page()
    open_survey(page, f"{server.url}/s/at-1")
    give_answers(page)
    texts = [page.locator("main").text_content() or ""]
    review(page)
    headers = page.get_by_role("columnheader").all_inner_texts()
    assert headers == ["Question", "You chose", "We will send", "What chance did"]
    expect(page.get_by_role("rowheader")).to_have_count(8)
    expect(page.get_by_role("cell")).to_have_count(24)
    texts.append(page.locator("main").text_content() or "")
    send(page)
    expect_receipt(page)
    texts.append(page.locator("main").text_content() or "")
    assert "right for at most 9,997 of 10,000 people" in texts[-1]
    # What chance did gives the true answer away: the receipt does not say it.
    marked = r"\bkept\b|swapped"
    assert [bool(re.search(marked, text)) for text in texts[1:]] == [True, False]
    for text in texts:
        assert not re.search(FORBIDDEN, text, re.IGNORECASE)


def test_a_question_is_read_in_its_order(page: Page, server: ServerProcess) -> None:
    page.set_viewport_size(PHONE)
    open_survey(page, f"{server.url}/s/at-1")
    truth = (
        "Your device sends one of the 5 options. "
        "It is your true answer for 40 of 100 people like you."
    )
    expect(card(page, 1)).to_match_aria_snapshot(
        f"""
        - radiogroup "Question 2 of 8 Where do you live?":
          - text: Question 2 of 8 Where do you live?
          - figure "{truth}":
            - img "{truth}"
          - figure "Any other option is sent for 15 of 100.":
            - img "Any other option is sent for 15 of 100."
          - radio "North"
          - text: North
          - radio "East"
          - text: East
          - radio "South"
          - text: South
          - radio "West"
          - text: West
          - radio "Prefer not to say"
          - text: Prefer not to say
        """
    )
