"""What was shown is what was sent, and the receipt can be taken home: on paper, as a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from client.authoring.draft.survey import build_survey
from tests.browser.kinds import give_answers
from tests.browser.respondent import expect_receipt, open_survey, review, send
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import KINDS
from tests.browser.wire import Wire

SURVEY = build_survey(KINDS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("receipt"), KINDS) as running:
        yield running


def test_the_shown_message_is_sent_byte_for_byte_and_the_receipt_is_saved_without_a_request(
    page: Page, server: ServerProcess, tmp_path: Path
) -> None:
    with Wire(server.port) as wire:
        open_survey(page, f"{wire.url}/s/kinds")
        give_answers(page)
        review(page)
        shown = page.locator(".payload").text_content() or ""
        wire.take()
        send(page)
        expect_receipt(page)
        # Before it sends, the page looks whether the survey is still the same.
        look, sent = wire.take()
        assert (look.method, sent.method) == ("GET", "POST")
        assert sent.body == shown.encode()
        assert len(sent.body) == SURVEY.report_bytes

        with page.expect_download() as saving:
            page.get_by_role("button", name="Save it as a file").click()
        assert wire.take() == []
    assert saving.value.suggested_filename == "candor-kinds.txt"
    file = tmp_path / "receipt.txt"
    saving.value.save_as(file)
    assert file.read_text("utf-8") == receipt_in_words(page, f"{wire.url}/s/kinds/results")


def receipt_in_words(page: Page, results: str) -> str:
    """The receipt as the page shows it: heading, what was sent, and the facts about it."""
    lists = page.locator(".facts").all()
    sent, about = (
        [
            f"{name.inner_text()}: {value.inner_text()}"
            for name, value in zip(
                facts.locator("dt").all(), facts.locator("dd").all(), strict=True
            )
        ]
        for facts in lists
    )
    heading, what = page.locator("h1").inner_text(), page.locator("h2").inner_text()
    assert about[0] == f"Survey: {SURVEY.title}"
    assert SURVEY.fingerprint in about[-1]
    ending = [*about, f"See the results: {results}"]
    return "\n\n".join([heading, what, "\n".join(sent), "\n".join(ending)]) + "\n"


def test_on_paper_the_receipt_is_black_on_white_with_the_address_of_the_results(
    page: Page, server: ServerProcess
) -> None:
    page.emulate_media(color_scheme="dark")
    open_survey(page, f"{server.url}/s/kinds")
    give_answers(page)
    review(page)
    send(page)
    expect_receipt(page)
    page.emulate_media(media="print", color_scheme="dark")
    for text in ("What was sent", SURVEY.fingerprint, "Health and habits"):
        expect(page.get_by_text(text)).to_be_visible()
    for gone in (page.locator(".brand"), page.locator("button").first):
        expect(gone).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    address = page.get_by_role("link", name="See the results").evaluate(
        "(link) => getComputedStyle(link, '::after').content"
    )
    assert f"{server.url}/s/kinds/results" in address
