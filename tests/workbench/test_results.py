"""The workbench shows results live to those who have a part in a survey, and to nobody else."""

from collections.abc import Iterator
from typing import Any

import pytest

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.surveys.researchers import Role
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft
from tests.support.researcher import Browser, hire, logged_in

RESULTS = "/workbench/surveys/habits/results"
LIVE = (RESULTS, "/workbench/surveys/habits/estimates.csv")


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    with run_live(folder, draft) as running:
        hire(running, "vera", Role.VIEWER)
        yield running


@pytest.fixture
def vera(live: Live) -> Browser:
    return logged_in(live, "vera")


def test_a_viewer_sees_every_report_at_once_and_what_the_public_sees(
    live: Live, vera: Browser
) -> None:
    live.fill(3, smokes=1)
    page = vera.get(RESULTS).body.decode()
    assert "Live, and not public" in page
    assert "These are all 3 reports of version 1" in page
    assert "shows no results; it next changes at 50 reports or when the survey is closed" in page
    assert page.count('class="bar-share"') == 4
    live.fill(50)
    page = vera.get(RESULTS).body.decode()
    assert "These are all 53 reports" in page
    assert "shows a snapshot at 50 reports; it next changes at 100 reports" in page
    ending.close(live.services.database, "habits")
    page = vera.get(RESULTS).body.decode()
    assert "shows a snapshot at 50 reports, for good; the remaining reports are too few" in page
    assert "These are all 53 reports of version 1. The survey is closed" in page
    assert "Live, and not public" not in page


def test_without_a_report_the_page_says_so_and_where_to_begin(live: Live, vera: Browser) -> None:
    page = vera.get(RESULTS).body.decode()
    assert "Nothing yet" in page
    assert "Next: send its link to people" in page
    assert 'href="/workbench/surveys/habits/invitations">Links and QR codes' in page
    # No empty card of a question, and nothing to download.
    assert "Do you smoke?" not in page
    assert "estimates.csv" not in page
    live.fill(1)
    page = vera.get(RESULTS).body.decode()
    assert "This is the only report of version 1 at this moment" in page
    assert "Nothing yet" not in page


def test_what_is_downloaded_is_live_and_named_so(live: Live, vera: Browser) -> None:
    live.fill(3, smokes=1)
    table = vera.get("/workbench/surveys/habits/estimates.csv")
    assert 'filename="habits-v1-LIVE-estimates.csv"' in table.headers["Content-Disposition"]
    assert b"smokes" in table.body
    figure = vera.get("/workbench/surveys/habits/figures/smokes.svg")
    assert b"3 randomized answers" in figure.body


def test_an_earlier_version_keeps_its_live_results(
    live: Live, vera: Browser, draft: dict[str, Any]
) -> None:
    live.fill(3)
    publish_draft(live.services, {**draft, "title": "Again"}, new_version=True)
    assert "There are no reports of version 2 yet" in vera.get(RESULTS).body.decode()
    assert "These are all 3 reports of version 1" in (
        vera.get(f"{RESULTS}?version=1").body.decode()
    )


@pytest.mark.parametrize("path", LIVE)
def test_a_stranger_and_a_researcher_without_a_role_see_nothing(live: Live, path: str) -> None:
    live.fill(3)
    assert live.get(path).status == 303
    hire(live, "bea")
    assert logged_in(live, "bea").get(path).status == 404
