"""A shared device after several people: no byte of an answer, a report or a ticket on its disk."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.kiosk import Stock, begin, expect_hand_over
from tests.browser.profile import files_with, profile_of
from tests.browser.respondent import card, review, send
from tests.browser.server_process import ServerProcess, serving
from tests.browser.test_profile import SURVEY

PEOPLE = [("730004417", "quokka 217"), ("730001123", "quokka 101")]
EMPTY = """async () => {
  const root = await navigator.storage.getDirectory();
  const names = [];
  for await (const [, folder] of root.entries()) {
    for await (const name of folder.keys()) names.push(name);
  }
  return [names.length, localStorage.length, sessionStorage.length, document.cookie];
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("kiosk-profile"), SURVEY) as running:
        yield running


def answer(page: Page, number: str, animal: str) -> None:
    begin(page)
    card(page, 0).get_by_role("spinbutton").press_sequentially(number)
    card(page, 1).get_by_role("combobox").press_sequentially(animal)
    review(page)
    expect(page.get_by_text(number)).to_be_visible()


def done(page: Page) -> None:
    page.get_by_role("button", name="Done").click()
    expect_hand_over(page)


def expect_no_trace(profile: Path, traces: list[str]) -> None:
    assert [(trace, files) for trace in traces if (files := files_with(profile, trace))] == []


def test_the_profile_knows_nothing_of_anybody_who_answered(
    tmp_path: Path, browser: Browser, server: ServerProcess
) -> None:
    traces = [text for person in PEOPLE for text in person]

    def note(request: Request) -> None:
        if request.url.endswith("/reports"):
            # Its ticket, the nonce in it, and what was randomized.
            headers: dict[str, Any] = request.headers
            body = (request.post_data or "").strip()
            randomized = body.partition('"randomized":')[2]
            ticket = headers["candor-ticket"]
            traces.extend([ticket.partition(".")[0], ticket, randomized])

    with profile_of(browser.browser_type, tmp_path) as device:
        device.on("request", note)
        page = device.new_page()
        stock = Stock(page)
        page.goto(f"{server.url}/s/canaries#;kiosk")
        # One person sends at once, one walks away at the review, one has no connection.
        answer(page, *PEOPLE[0])
        send(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Sent. Thank you.")
        done(page)
        answer(page, *PEOPLE[1])
        page.get_by_role("button", name="Start over").click()
        expect(page.get_by_text(PEOPLE[1][0])).to_have_count(0)
        page.get_by_role("button", name="Start over").click()
        expect_hand_over(page)
        stock.wait_for(3)
        device.set_offline(True)
        answer(page, *PEOPLE[1])
        send(page)
        expect(page.get_by_role("heading", level=1)).to_contain_text("It will be sent as soon as")
        done(page)
        expect(page.get_by_text("One set of randomized answers waits")).to_be_visible()
        # While it waits, the device has the randomized report, and no answer.
        assert files_with(tmp_path, traces[-3]) != []
        expect_no_trace(tmp_path, [text for person in PEOPLE for text in person])
        # Nobody has to press anything when the connection is back.
        device.set_offline(False)
        expect(page.get_by_text("One set of randomized answers waits")).to_have_count(0)
        page.reload()
        expect_hand_over(page)
        assert page.evaluate(EMPTY) == [0, 0, 0, ""]
        expect_no_trace(tmp_path, traces)
    expect_no_trace(tmp_path, traces)
    # The visit itself is there, so the search does not look into the void.
    assert files_with(tmp_path, "/s/canaries") != []
    assert len(server.reports("canaries")) == 2
    assert len(traces) >= 4 + 2 * 3
