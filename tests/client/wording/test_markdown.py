"""Pages that authors write: what is markup is shown as such, everything else stays text."""

import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.wording.markdown import Block, Run, parse_markdown, plain_text
from tests.browser.node import SCRIPTS, in_node
from tests.vectors.generate import read
from tests.vectors.markdowns import REPEATED

BASE = SCRIPTS.as_uri() + "/"
LENGTH, PIECES_OF_IT = 320_000, 64
# In linear time a text takes as long as all of its pieces, in quadratic time 64 times as long.
MOST_SLOWDOWN = 16
PIECES = [
    *("*", "**", "***", "[", "]", "(", ")", "](", "https://a.b", "mailto:a@b.c", "javascript:x"),
    *("# ", "## ", "- ", "1. ", "12) ", "  ", " ", "\n", "\n\n", "a", "b c", "<b>", "_", "!"),
    *("\u00a0", "\u2028", "é", "🙂", "[a](https://a.b)", "\\"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def runs(text: str) -> tuple[Run, ...]:
    (block,) = parse_markdown(text)
    return block.lines[0]


def every_run(blocks: tuple[Block, ...]) -> Iterator[Run]:
    for block in blocks:
        for line in block.lines:
            yield from line


def test_a_page_has_headings_paragraphs_and_lists() -> None:
    text = "# Title\nOne\nparagraph.\n\n- a\n- b\n\n3. c\n4. d"
    assert parse_markdown(text) == (
        Block("h2", ((Run("Title"),),)),
        Block("p", ((Run("One paragraph."),),)),
        Block("ul", ((Run("a"),), (Run("b"),))),
        Block("ol", ((Run("c"),), (Run("d"),)), first=3),
    )


def test_text_can_be_bold_emphasized_and_a_link() -> None:
    assert runs("a **b** *c* [d](https://e.org)") == (
        *(Run("a "), Run("b", bold=True), Run(" "), Run("c", emphasis=True), Run(" ")),
        Run("d", href="https://e.org"),
    )


@pytest.mark.parametrize("address", ["javascript:x", "http://e.org", "data:x", "//e.org"])
def test_any_other_address_stays_text(address: str) -> None:
    text = f"[a]({address})"
    assert runs(text) == (Run(text),)


def test_markup_stays_text() -> None:
    text = "<script>alert(1)</script> ![x] `y` ~z~"
    assert runs(text) == (Run(text),)


def test_a_terminal_shows_addresses_and_marks_items() -> None:
    text = "# Help\n\n- **Call** [us](https://e.org)\n- [a@b.c](mailto:a@b.c)\n\n2. second"
    assert plain_text(parse_markdown(text)) == (
        "Help\n\n  • Call us (https://e.org)\n  • a@b.c\n\n  2. second"
    )


@given(st.text("ab*[]()<>&!` \n", max_size=60))
def test_no_word_is_lost_whatever_is_written(text: str) -> None:
    shown = plain_text(parse_markdown(text))
    assert [sign for sign in shown if sign in "ab<>&!`"] == [s for s in text if s in "ab<>&!`"]


@given(TEXTS)
def test_a_link_leads_to_a_secure_page_or_to_a_mailbox(text: str) -> None:
    for run in every_run(parse_markdown(text)):
        assert run.href == "" or run.href.startswith(("https://", "mailto:"))
        assert run.text != ""


@settings(max_examples=3)
@given(st.lists(TEXTS, min_size=500, max_size=500))
def test_both_languages_read_the_same_in_thousands_of_texts(texts: list[str]) -> None:
    blocks = [parse_markdown(text) for text in texts]
    expected: list[Any] = [[plain_block(block) for block in page] for page in blocks]
    found = in_node("markdowns", BASE, texts)
    assert found == {"blocks": expected, "plain": [plain_text(page) for page in blocks]}


def plain_block(block: Block) -> dict[str, Any]:
    return {**asdict(block), "lines": [[asdict(run) for run in line] for line in block.lines]}


@pytest.mark.parametrize("name", REPEATED)
def test_hostile_texts_take_linear_time_in_both_languages(name: str) -> None:
    unit, _ = REPEATED[name]
    text = (unit * LENGTH)[:LENGTH]
    assert quickest(text, LENGTH) / quickest(text, LENGTH // PIECES_OF_IT) < MOST_SLOWDOWN
    assert in_node("slowdown", BASE, text, PIECES_OF_IT) < MOST_SLOWDOWN


def quickest(text: str, length: int) -> float:
    """The processor's time for all pieces of that length, the least of three tries."""
    times = []
    for _ in range(3):
        start = time.process_time()
        for at in range(0, len(text), length):
            parse_markdown(text[at : at + length])
        times.append(time.process_time() - start)
    return min(times)


def test_the_vectors_hold_every_hostile_text() -> None:
    names = {vector["name"] for vector in read("markdown.jsonl")}
    assert {f"markdown_many_{name}" for name in REPEATED} <= names
