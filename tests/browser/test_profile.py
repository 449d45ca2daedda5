"""No byte of a true answer in the browser's profile, but for those that somebody asked to keep."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from tests.browser.keeping import box, expect_on_device, note
from tests.browser.leveldb import unsnap
from tests.browser.profile import files_with, profile_of
from tests.browser.respondent import (
    begin,
    card,
    expect_receipt,
    go_in,
    open_survey,
    press_back,
    review,
    send,
    turns,
)
from tests.browser.server_process import ServerProcess, serving

NUMBER, ANIMAL = "730004417", "quokka 217"
# As they are typed and shown, and as an answer is kept; a report never looks like that.
TRACES = (NUMBER, ANIMAL, '"canary":4417')
KEPT = '{"answers":{"canary":4417,"animal":217},"at":"animal"}'
SURVEY: dict[str, Any] = {
    "slug": "canaries",
    "title": "Canaries",
    "delete_on": "2999-12-31",
    "questions": [
        {
            "id": "canary",
            "kind": "number",
            "prompt": "Which number?",
            "lo": "730000000",
            "hi": "730010000",
            "step": "1",
            "goal": "mean",
            "epsilon": "1",
        },
        {
            "id": "animal",
            "kind": "one_of",
            "prompt": "Which animal?",
            "options": [f"Quokka {number:03}" for number in range(300)],
            "epsilon": "1",
        },
    ],
}
LETTERS = {**SURVEY, "slug": "letters", "access": "invited"}
# A page as there are many, with a form that browsers save to be helpful.
ORDINARY = """<form method=post action=ordinary><input id=a name=a><input type=submit></form>
<script>
indexedDB.open("o", 1).onupgradeneeded = ({ target: { result } }) =>
  result.createObjectStore("s").put("stored wombat", 1);</script>"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("profile"), SURVEY, LETTERS) as running:
        yield running


@pytest.fixture
def link(server: ServerProcess) -> str:
    return f"{server.url}/s/canaries"


@pytest.fixture
def program(browser: Browser) -> BrowserType:
    return browser.browser_type


def answer_all(page: Page, link: str) -> None:
    open_survey(page, link)
    card(page, 0).get_by_role("spinbutton").press_sequentially(NUMBER)
    card(page, 1).get_by_role("combobox").press_sequentially(ANIMAL)


def wander(device: BrowserContext, page: Page, link: str) -> None:
    """All that makes a browser write: the review, Back, away and back, a reload, another tab."""
    review(page)
    expect(page.get_by_text(NUMBER)).to_be_visible()
    press_back(page)
    expect(page.get_by_role("combobox")).to_be_visible()
    page.goto(f"{link}/results")
    page.go_back()
    expect(page.get_by_role("spinbutton")).to_have_value("")
    answer_all(page, link)
    device.new_page().goto(link)
    page.bring_to_front()


def expect_no_trace(profile: Path) -> None:
    found = [file for trace in TRACES for file in files_with(profile, trace)]
    assert found == []


def test_without_the_tick_no_file_of_the_profile_knows_an_answer(
    tmp_path: Path, program: BrowserType, link: str
) -> None:
    with profile_of(program, tmp_path) as device:
        page = device.new_page()
        answer_all(page, link)
        wander(device, page, link)
        review(page)
        expect_no_trace(tmp_path)
        send(page)
        expect_receipt(page)
    expect_no_trace(tmp_path)
    # The visit itself is there, so the search does not look into the void.
    assert files_with(tmp_path, "/s/canaries") != []


def test_with_the_tick_one_file_knows_them_until_they_are_sent(
    tmp_path: Path, program: BrowserType, link: str
) -> None:
    with profile_of(program, tmp_path) as device:
        page = device.new_page()
        answer_all(page, link)
        box(page).check()
        expect_on_device(page, {"canary": 4417, "animal": 217})
    (file,) = files_with(tmp_path, KEPT)
    assert "File System/" in file
    with profile_of(program, tmp_path) as device:
        page = device.new_page()
        open_survey(page, link)
        expect(note(page)).to_be_visible()
        expect(card(page, 0).get_by_role("spinbutton")).to_have_value(NUMBER)
        review(page)
        send(page)
        expect_receipt(page)
        # At once, while the browser is running, and not only when it tidies up.
        expect_no_trace(tmp_path)
    expect_no_trace(tmp_path)


@pytest.mark.parametrize("way", ["untick", "forget"])
def test_who_changes_their_mind_leaves_nothing(
    tmp_path: Path, program: BrowserType, link: str, way: str
) -> None:
    with profile_of(program, tmp_path) as device:
        page = device.new_page()
        open_survey(page, link)
        box(page).check()
        card(page, 0).get_by_role("spinbutton").fill(NUMBER)
        expect_on_device(page, {"canary": 4417})
        if way == "untick":
            box(page).uncheck()
        else:
            page.reload()
            page.get_by_role("button", name="Forget them").click()
        expect(box(page)).not_to_be_checked()
        expect_on_device(page)
    expect_no_trace(tmp_path)


def test_after_sending_no_file_knows_the_ticket_or_what_could_join_it_to_its_link(
    tmp_path: Path, program: BrowserType, server: ServerProcess
) -> None:
    (link,) = server.invite("letters")
    with profile_of(program, tmp_path) as device:
        page = device.new_page()
        page.route("**/tickets", lambda route: route.abort(), times=1)
        page.goto(link)
        begin(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Please try again")
        ((asked,),) = [turn["asked"] for turn in turns(page)]
        joining = [asked["inv"], asked["blinded"]]
        # While it waits, it is in a file, and nowhere in a database.
        for trace in joining:
            assert {file.partition("/File System/")[1] for file in files_with(tmp_path, trace)} == {
                "/File System/"
            }
        page.get_by_role("button", name="Try again").click()
        go_in(page)
        # From here on, nothing on the device joins the ticket to the link.
        assert [files_with(tmp_path, trace) for trace in joining] == [[], []]
        card(page, 0).get_by_role("spinbutton").fill(NUMBER)
        card(page, 1).get_by_role("combobox").fill(ANIMAL)
        review(page)
        page.get_by_role("button", name="Send another day").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Kept for another day")
        (waiting,) = turns(page)
        nonce, signature = waiting["ticket"].split(".")
        assert nonce == asked["nonce"]
        page.reload()
        expect_receipt(page)
        traces = [*joining, nonce, signature]
        assert [files_with(tmp_path, trace) for trace in traces] == [[]] * 4
    assert [files_with(tmp_path, trace) for trace in traces] == [[]] * 4
    expect_no_trace(tmp_path)
    # The receipt is there, so the search does not look into the void.
    report = waiting["body"].strip().partition('"randomized":')[2]
    assert any("IndexedDB" in file for file in files_with(tmp_path, report))


def test_the_search_finds_what_an_ordinary_page_leaves(
    tmp_path: Path, program: BrowserType, server: ServerProcess
) -> None:
    with profile_of(program, tmp_path) as device:
        page = device.new_page()
        page.route(
            "**/ordinary", lambda route: route.fulfill(body=ORDINARY, content_type="text/html")
        )
        page.goto(f"{server.url}/ordinary")
        page.locator("#a").press_sequentially("typed wombat")
        page.locator("[type=submit]").click()
        page.locator("#a").press_sequentially("half typed koala")
        page.goto("about:blank")
    assert any("IndexedDB" in file for file in files_with(tmp_path, "stored wombat"))
    # Offered to be completed the next time, and typed again when the tab is opened again.
    assert "Default/Web Data" in files_with(tmp_path, "typed wombat")
    assert any("Session" in file for file in files_with(tmp_path, "half typed koala"))


def test_packed_texts_are_unpacked() -> None:
    # "wombat" stands there, then six bytes from six bytes before, then a long piece.
    packed = bytes([12 + 70, (6 - 1) << 2, *b"wombat", (6 - 1) << 2 | 2, 6, 0, 60 << 2, 69])
    assert unsnap(packed + b"x" * 70) == b"wombatwombat" + b"x" * 70
