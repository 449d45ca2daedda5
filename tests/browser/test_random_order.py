"""Random order on the page: stable during a visit, forgotten after it, and in no report."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.keeping import box, expect_on_device
from tests.browser.kinds import reviewed
from tests.browser.respondent import (
    HandIns,
    card,
    expect_receipt,
    open_survey,
    press_back,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving

LABELS = ["Bus", "Car", "Bike", "Tram", "Ferry", "Foot"]
# The words of one order and of another: every index is 0, or the largest.
LOW, HIGH = 0, 2**32 - 1
SURVEY: dict[str, Any] = {
    "slug": "shuffled",
    "title": {"en": "Order", "de": "Reihenfolge"},
    "delete_on": "2999-12-31",
    "shuffle": "true",
    "epsilon": "1",
    "questions": [
        {
            "id": "mode",
            "kind": "one_of",
            "prompt": {"en": "How?", "de": "Wie?"},
            "options": [{"en": name, "de": f"{name} (de)"} for name in [*LABELS, "Other"]],
            "shuffle": "true",
            "anchored": ["Other"],
            "decline": "true",
        },
        {
            "id": "boxes",
            "kind": "any_of",
            "prompt": {"en": "Which?", "de": "Welche?"},
            "options": [{"en": name, "de": f"{name} (de)"} for name in LABELS],
            "shuffle": "true",
        },
        {
            "id": "content",
            "kind": "scale",
            "prompt": {"en": "Content?", "de": "Zufrieden?"},
            "lo": "0",
            "hi": "4",
            "lo_label": {"en": "no", "de": "nein"},
            "hi_label": {"en": "yes", "de": "ja"},
            "reverse": "true",
        },
    ],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("order"), SURVEY) as running:
        yield running


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/shuffled"


def tell(page: Page, word: int) -> None:
    """Replace the generator by one that always says the same."""
    page.add_init_script(f"Crypto.prototype.getRandomValues = (words) => words.fill({word})")


def labels(page: Page, id: str) -> list[str]:
    """The options of a question as they are shown, from top to bottom."""
    question = page.locator(".question").filter(has_text=id)
    return [text.strip() for text in question.locator(".choice").all_text_contents()]


def shown(page: Page) -> list[list[str]]:
    """All that is in random order: the questions, and the options of each."""
    prompts = page.locator(".prompt").all_text_contents()
    return [prompts, *(labels(page, prompt) for prompt in sorted(prompts))]


def test_anchors_and_silence_stay_and_the_scale_turns_with_its_ends(page: Page, link: str) -> None:
    tell(page, LOW)
    open_survey(page, link)
    # Each last place is exchanged with the first one.
    assert shown(page)[0] == ["Which?", "Content?", "How?"]
    turned = [*LABELS[1:], LABELS[0]]
    assert labels(page, "How?") == [*turned, "Other", "Prefer not to say"]
    assert labels(page, "Which?") == [*turned, "None of these"]
    assert labels(page, "Content?") == ["4", "3", "2", "1", "0"]
    assert page.locator(".ends span").all_text_contents() == ["4 yes", "0 no"]
    # Keys and screen readers follow what is seen.
    first = card(page, 2).get_by_role("radio").first
    expect(first).to_have_attribute("aria-posinset", "1")
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(card(page, 2).get_by_role("radio", name="Bike")).to_be_checked()


def test_the_order_is_stable_in_a_visit_and_kept_answers_have_numbers(
    page: Page, context: BrowserContext, link: str
) -> None:
    hand_ins = HandIns(context)
    tell(page, LOW)
    open_survey(page, link)
    before = shown(page)
    box(page).check()
    card(page, 0).get_by_role("checkbox", name="Tram").check()
    card(page, 1).get_by_role("radio", name="3").check()
    card(page, 2).get_by_role("radio", name="Ferry").check()
    answers = {"mode": 4, "boxes": [3], "content": 3}
    expect_on_device(page, answers)
    review(page)
    chosen = [row[:2] for row in reviewed(page)]
    assert chosen == [["Which?", "Tram"], ["Content?", "3"], ["How?", "Ferry"]]
    press_back(page)
    expect(page.locator(".prompt:visible")).to_have_text("How?")
    assert shown(page) == before
    page.locator(".language select").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert shown(page)[0] == ["Welche?", "Zufrieden?", "Wie?"]
    assert labels(page, "Wie?")[0] == "Car (de)"
    page.locator(".language select").select_option("en")
    # Another visit draws another order; the answers are the same.
    tell(page, HIGH // 2)
    page.reload()
    expect(page.locator(".restored")).to_be_visible()
    assert shown(page) != before
    review(page)
    assert sorted(row[:2] for row in reviewed(page)) == sorted(chosen)
    body = page.locator(".payload").text_content()
    assert body is not None
    send(page)
    expect_receipt(page)
    ((_, sent),) = hand_ins.different
    assert sent == body
    assert "shuffle" not in sent


def test_real_devices_draw_different_orders(page: Page, link: str) -> None:
    seen = set()
    for _ in range(4):
        open_survey(page, link)
        seen.add(str(shown(page)))
    # The chance that all four agree is far below one in a million.
    assert len(seen) > 1
