"""Right to left, the page is its own mirror image: every box, frame and picture, at any width."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.keeping import box, expect_on_device
from tests.browser.kinds import ANSWERS, give_answers
from tests.browser.polyglot import POLYGLOT, answer_all
from tests.browser.respondent import card, expect_receipt, open_survey, review, send
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import KINDS

SIZES = {"phone": PHONE, "desktop": DESKTOP}
# Weak enough that the smaller half of an icon array is less than a row.
WEAK: dict[str, Any] = {
    **KINDS,
    "slug": "weak",
    "questions": [
        {**question, "epsilon": "3.3"}
        for question in KINDS["questions"]
        if question["id"] in ("smokes", "conditions", "trust")
    ],
}
# The same words in the other direction, measured before and after: what is not mirrored. What runs
# inside a line follows its letters and not the page, and code runs from left to right anywhere.
NOT_MIRRORED = """() => {
  const nodes = [...document.body.querySelectorAll("*")].filter((node) =>
    node.checkVisibility() && !node.closest("code, pre, option, small") &&
    (node.matches("path") || getComputedStyle(node).display !== "inline"));
  const sides = (style, left, right) => [style[left], style[right]].map(parseFloat);
  // Without the room of the scroll bar, which stays where it is.
  const width = document.body.getBoundingClientRect().right;
  const look = (node) => {
    const { left, right } = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    const frame = sides(style, "borderLeftWidth", "borderRightWidth");
    const room = sides(style, "paddingLeft", "paddingRight");
    return [[left, width - right], frame, room];
  };
  const turn = (direction) => {
    for (const node of document.querySelectorAll("html, [dir]:not(code, pre, small)")) {
      node.dir = direction;
    }
  };
  const before = nodes.map(look);
  turn("rtl");
  const after = nodes.map(look);
  turn("ltr");
  const near = ([a, b], [c, d]) => Math.abs(a - d) < 1 && Math.abs(b - c) < 1;
  return nodes
    .filter((_, i) => !before[i].every((pair, part) => near(pair, after[i][part])))
    .map((node) => node.outerHTML.slice(0, 90));
}"""

# Where a word of an element's one text begins and ends.
SPAN = """(node, word) => {
  const range = document.createRange(), begins = node.firstChild.data.indexOf(word);
  range.setStart(node.firstChild, begins);
  range.setEnd(node.firstChild, begins + word.length);
  const { left, right } = range.getBoundingClientRect();
  return [left, right];
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("mirrored"), KINDS, WEAK, POLYGLOT) as running:
        yield running


@pytest.fixture(params=SIZES)
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    size: ViewportSize = SIZES[request.param]
    device = browser.new_context(viewport=size)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def not_mirrored(page: Page) -> list[str]:
    found: list[str] = page.evaluate(NOT_MIRRORED)
    return found


def test_every_scene_is_the_mirror_image_of_itself(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/kinds")
    for text in ("The maths", "Check this page"):
        page.get_by_text(text, exact=True).click()
    assert not_mirrored(page) == []
    give_answers(page)
    for number in range(8):
        card(page, number)
        assert not_mirrored(page) == []
    box(page).check()
    expect_on_device(page, ANSWERS)
    page.reload()
    page.locator(".restored").wait_for()
    assert not_mirrored(page) == []
    review(page)
    assert not_mirrored(page) == []
    send(page)
    expect_receipt(page)
    assert not_mirrored(page) == []


def test_people_are_counted_from_where_the_text_begins(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/weak")
    solid = page.locator(".icons-solid").nth(1).bounding_box()
    assert solid is not None
    whole = page.locator(".icons").nth(1).bounding_box()
    assert whole is not None
    assert solid["width"] < whole["width"] / 2
    assert not_mirrored(page) == []


def test_a_list_in_a_sentence_runs_as_its_language_does(
    browser: Browser, server: ServerProcess
) -> None:
    """The labels are isolates, which do not tell the direction of the list around them."""
    for language, first, second in (("en", "Money", "War"), ("ar", "المال", "الحرب")):
        context = browser.new_context(locale=language)
        page = context.new_page()
        open_survey(page, f"{server.url}/s/polyglot")
        answer_all(page, language)
        chosen = card(page, 2).locator(".chosen")
        spans = [chosen.evaluate(SPAN, word) for word in (first, second)]
        (_, ends), (begins, _) = spans if language == "en" else reversed(spans)
        assert ends < begins, language
        context.close()
