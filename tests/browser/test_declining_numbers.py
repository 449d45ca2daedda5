"""A number can be declined on the page, and hidden by an earlier answer."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from client.authoring.draft.survey import build_survey
from tests.browser.kinds import radio, reviewed
from tests.browser.respondent import card, expect_receipt, open_survey, review, send
from tests.browser.server_process import ServerProcess, serving

DRAFT = {
    "slug": "declined",
    "title": "Work",
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [
        {"id": "works", "prompt": "Do you work?"},
        {
            **{"id": "hours", "kind": "number", "prompt": "How many hours a week?", "lo": "0"},
            **{"hi": "80", "unit": "hours", "decline": "true"},
            "show_if": {"question": "works", "is": ["Yes"]},
        },
        {
            **{"id": "mood", "kind": "scale", "prompt": "How content are you?", "lo": "0"},
            **{"hi": "10", "goal": "mean", "decline": "true"},
        },
    ],
}
SURVEY = build_survey(DRAFT)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("declined"), DRAFT) as running:
        yield running


def test_a_number_is_declined_typed_again_and_declined_once_more(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/declined")
    radio(card(page, 0), "Yes")
    hours = card(page, 1)
    radio(hours, "Prefer not to say")
    expect(hours.get_by_role("spinbutton")).to_have_value("")
    hours.get_by_role("spinbutton").fill("38")
    expect(hours.get_by_role("radio", name="Prefer not to say")).not_to_be_checked()
    radio(hours, "Prefer not to say")
    radio(card(page, 2), "Prefer not to say")
    review(page)
    silent = "Prefer not to say"
    assert [row[1].splitlines()[0] for row in reviewed(page)] == ["Yes", silent, silent]
    send(page)
    expect_receipt(page)


def test_a_hidden_number_is_sent_as_any_other(page: Page, server: ServerProcess) -> None:
    before = len(server.reports("declined"))
    open_survey(page, f"{server.url}/s/declined")
    radio(card(page, 0), "No")
    expect(page.get_by_role("spinbutton")).to_have_count(0)
    radio(card(page, 2), "7")
    review(page)
    send(page)
    expect_receipt(page)
    reports = server.reports("declined")
    assert len(reports) == before + 1
    hours = SURVEY.questions[1].mechanism
    for report in reports:
        hours.check(report["hours"], "hours")
