"""Nothing is cut or moves: on narrow screens, zoomed, from right to left, and as people set it."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE
from tests.browser.kinds import give_answers
from tests.browser.respondent import card, open_survey, review
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import KINDS

# What reaches beyond the window, or is cut by its own box; places that scroll may hold more.
CUT = """() => [...document.querySelectorAll("main *")].filter((node) => {
  const apart = node.closest("svg, .scroll, .payload, .long, datalist");
  if (apart || !node.checkVisibility()) return false;
  const { left, right } = node.getBoundingClientRect();
  const wide = node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1;
  const hides = getComputedStyle(node).overflowY !== "visible";
  const cut = wide || (hides && node.scrollHeight > node.clientHeight + 1);
  return cut || left < -1 || right > innerWidth + 1;
}).map((node) => node.outerHTML.slice(0, 80))"""
LONG: dict[str, Any] = {
    "slug": "long",
    "title": "Rechtsschutzversicherungsgesellschaften und Donaudampfschifffahrt " * 2,
    "delete_on": "2999-12-31",
    "questions": [
        {
            "id": "long",
            "kind": "one_of",
            "prompt": "Would you say that in the last twelve months, or since then, " * 8,
            "options": [f"{number} {'Rindfleischetikettierung' * 3}" for number in range(4)],
            "decline": True,
            "epsilon": "1",
        },
        {"id": "scale", "kind": "scale", "prompt": "How?", "lo": 0, "hi": 20, "epsilon": "1"},
        {
            "id": "many",
            "kind": "one_of",
            "prompt": "Which of twenty thousand?",
            "options": [f"Place {number}" for number in range(20_000)],
            "epsilon": "1",
            "mechanism": "hr",
        },
    ],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("on-every-screen"), KINDS, LONG) as running:
        yield running


@pytest.mark.parametrize(
    ("width", "direction"), [(320, "ltr"), (640, "ltr"), (390, "rtl"), (1280, "rtl")]
)
def test_nothing_is_cut_or_wider_than_the_window(
    page: Page, server: ServerProcess, width: int, direction: str
) -> None:
    """320 is the narrowest phone; 640 is a window of 1280 at a zoom of 200 %."""
    page.set_viewport_size({"width": width, "height": 568})
    for slug in ("kinds", "long"):
        open_survey(page, f"{server.url}/s/{slug}")
        page.evaluate(f"document.documentElement.dir = '{direction}'")
        page.get_by_text("The maths").click()
        for number in range(page.locator(".question").count()):
            card(page, number).locator("input").first.click()
            assert page.evaluate(CUT) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    icon, caption = (
        page.locator(f".question.current {part}").first.bounding_box()
        for part in (".icons", "figcaption")
    )
    assert icon is not None
    assert caption is not None
    assert (icon["x"] < caption["x"]) == (direction == "ltr")
    # The review of every kind, which no screen is too narrow for.
    open_survey(page, f"{server.url}/s/kinds")
    give_answers(page)
    review(page)
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_scale_from_0_to_10_is_one_row_and_no_pill_breaks(
    page: Page, server: ServerProcess, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 640})
    open_survey(page, f"{server.url}/s/kinds")
    pills = page.locator(".consequence dd").all()
    heights = [pill.evaluate("node => node.clientHeight") for pill in pills]
    assert len(set(heights)) == 1
    levels = card(page, 5).locator(".levels .choice")
    boxes = [box for box in (level.bounding_box() for level in levels.all()) if box is not None]
    assert len(boxes) == 11
    assert len({box["y"] for box in boxes}) == 1
    # A finger needs 24 pixels, or as much from one middle to the next.
    assert min(box["width"] for box in boxes) >= (24 if width >= 360 else 20)


def test_nothing_moves_for_those_who_want_no_motion_and_their_colours_are_kept(
    page: Page, server: ServerProcess
) -> None:
    page.set_viewport_size(PHONE)
    page.emulate_media(reduced_motion="reduce", forced_colors="active")
    open_survey(page, f"{server.url}/s/kinds")
    page.locator(".choice").first.click()
    moving = """[...document.querySelectorAll("*")].filter((node) => {
      const { transitionDuration, animationName } = getComputedStyle(node);
      return transitionDuration !== "0s" || animationName !== "none";
    }).length"""
    assert page.evaluate(moving) == 0
    colours = page.evaluate(
        """() => [".icons-solid", ".icons-hollow", "h1"].map(
        (selector) => getComputedStyle(document.querySelector(selector)).color)"""
    )
    assert len(set(colours)) == 1
    frame = "getComputedStyle(document.querySelector('.choice:has(:checked)')).borderTopWidth"
    assert page.evaluate(frame) == "3px"
    page.emulate_media(reduced_motion="no-preference", forced_colors="none")
    assert page.evaluate(moving) > 0
