"""Groups that people choose: the report names one, and the store counts it there."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.lifecycle.invitations import status
from server.store import reading
from server.store.verify import verify
from server.surveys.strays import GroupChoice
from tests.support.groups import with_factors
from tests.support.live import Live
from tests.support.live import live as run_live

Draft = dict[str, Any]


@pytest.fixture
def choosing(folder: DataFolder, draft: Draft) -> Iterator[Live]:
    """A server with a survey in which people choose arm and site."""
    with run_live(folder, with_factors(draft, by="choice")) as running:
        yield running


def body(live: Live, group: str, **randomized: Any) -> bytes:
    return replace(live.parsed(**randomized), group=group).body


def sizes(live: Live) -> dict[str, int]:
    groups = reading.groups_of(live.services.database.reader, "habits")
    return {group.name: group.reports for group in groups if group.reports}


def test_a_report_is_counted_in_the_group_that_it_names(choosing: Live) -> None:
    # Who prefers not to say has the last level.
    for group in ("0-1", "0-1", "2-2"):
        assert choosing.post(body(choosing, group, smokes=1)).status == 201
    assert sizes(choosing) == {"0-1": 2, "2-2": 1}
    assert verify(choosing.folder.database).problems == []


@pytest.mark.parametrize("group", ["", "0", "3-0", "0-1-0", "north"])
def test_a_report_without_a_declared_group_is_refused(choosing: Live, group: str) -> None:
    answer = choosing.post(body(choosing, group))
    assert (answer.status, choosing.stored()["reports"]) == (400, [])


def test_the_same_report_again_is_welcome_also_after_closing(choosing: Live) -> None:
    ticket = choosing.ticket()
    sent = body(choosing, "0-1")
    assert choosing.post(sent, ticket).status == 201
    assert choosing.post(sent, ticket).status == 200
    assert choosing.post(body(choosing, "1-1"), ticket).code == "ticket_spent"
    choosing.fill(30, "treatment, north")
    ending.close(choosing.services.database, "habits", groups=GroupChoice.KEEP)
    assert sizes(choosing) == {"0-0": 30}
    assert choosing.post(sent, ticket).status == 200


def test_personal_links_do_not_tell_who_chose_which_group(folder: DataFolder, draft: Draft) -> None:
    choice = {**with_factors(draft, by="choice"), "access": "invited"}
    with run_live(folder, choice) as staff:
        assert staff.post(body(staff, "1-0")).status == 201
        assert sizes(staff) == {"1-0": 1}
        assert status(staff.services, "habits")["groups"] == [
            {"group": "", "issued": 1, "given": 1}
        ]
        assert verify(folder.database).problems == []
