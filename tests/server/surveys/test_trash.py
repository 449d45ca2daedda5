"""The trash: out of sight at once, back just as it was for 30 days, then gone from the bytes."""

from collections.abc import Iterator
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.commands import operating
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import audit_log, reading
from server.store.verify import verify
from server.surveys.states import State
from tests.support.clock import FakeClock, at
from tests.support.live import JSON, Live, everywhere
from tests.support.publishing import publish_draft

Draft = dict[str, Any]
PAGES = ("", "/results", "/estimates.json", "/estimates.csv", "/document.json", "/privacy.json")


@pytest.fixture
def closed(clock: FakeClock, folder: DataFolder, draft: Draft) -> Iterator[Live]:
    """A survey that was closed with a few reports."""
    with at(clock, folder, draft) as live:
        for _ in range(3):
            assert live.post(live.report()).status == 201
        ending.close(live.services.database, "habits")
        yield live


def rows(live: Live) -> list[str]:
    return [str(sorted(items)) for items in live.stored().values()]


def test_in_the_trash_all_pages_are_gone_and_say_so(closed: Live) -> None:
    ending.trash(closed.services, "habits")
    for path in PAGES:
        answer = closed.get(f"/s/habits{path}")
        assert answer.status == 410
        if path.endswith(".json"):
            assert answer.code == "survey_trashed"
        else:
            assert b"This survey was taken down" in answer.body
            assert b"/results" not in answer.body
    assert closed.send("POST", "/api/surveys/habits/tickets", b"{}", JSON).code == "survey_trashed"


def test_what_is_restored_is_just_as_it_was(closed: Live) -> None:
    ending.archive(closed.services.database, "habits")
    before, pages = rows(closed), [closed.get(f"/s/habits{path}").body for path in PAGES]
    ending.trash(closed.services, "habits")
    assert rows(closed) != before
    assert ending.restore(closed.services.database, "habits").state is State.ARCHIVED
    assert rows(closed) == before
    assert [closed.get(f"/s/habits{path}").body for path in PAGES] == pages


def test_an_open_survey_has_to_be_closed_first(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with (
        at(clock, folder, draft) as live,
        pytest.raises(Refusal, match="'habits' is open: it cannot be put into the trash"),
    ):
        ending.trash(live.services, "habits")


def test_for_thirty_days_it_can_be_restored_and_then_it_is_gone_from_the_bytes(
    clock: FakeClock, closed: Live
) -> None:
    traces = [row[1].encode() for row in closed.stored()["reports"]]
    traces += [closed.survey.document, *(row[1].encode() for row in closed.stored()["spent"])]
    ending.trash(closed.services, "habits")
    clock.now = "2026-12-20T11:59:59Z"
    ending.finish_due(closed.services.database)
    assert ending.restore(closed.services.database, "habits").state is State.CLOSED
    ending.trash(closed.services, "habits")
    clock.now = "2027-01-19T11:59:59Z"
    ending.finish_due(closed.services.database)
    assert all(items == [] for items in closed.stored().values())
    left = everywhere(closed.folder)
    assert [trace for trace in traces if trace in left] == []
    assert closed.get("/s/habits").status == 404
    assert verify(closed.folder.database).problems == []


def test_every_version_goes_and_comes_together(closed: Live, draft: Draft) -> None:
    publish_draft(closed.services, {**draft, "title": "Vices"}, new_version=True)
    ending.close(closed.services.database, "habits")
    ending.trash(closed.services, "habits")
    assert {item.state for item in reading.versions(closed.services.database.reader, "habits")} == {
        State.TRASHED
    }
    ending.restore(closed.services.database, "habits")
    assert {item.state for item in reading.versions(closed.services.database.reader, "habits")} == {
        State.CLOSED
    }


def test_a_slug_in_the_trash_is_taken_until_it_is_removed(
    clock: FakeClock, closed: Live, draft: Draft
) -> None:
    ending.trash(closed.services, "habits")
    for new_version in (False, True):
        with pytest.raises(Refusal, match="is in the trash") as caught:
            publish_draft(closed.services, draft, new_version)
        assert caught.value.code == "slug_taken"
    clock.now = "2027-02-01T00:00:00Z"
    ending.finish_due(closed.services.database)
    assert publish_draft(closed.services, draft).published.survey.version == 1


def test_reports_are_deleted_on_their_day_also_in_the_trash(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, {**draft, "delete_on": "2026-11-25"}) as live:
        live.post(live.report())
        ending.close(live.services.database, "habits")
        ending.trash(live.services, "habits")
        clock.now = "2026-11-25T00:00:00Z"
        ending.finish_due(live.services.database)
        assert live.stored()["reports"] == []
        assert ending.restore(live.services.database, "habits").state is State.PURGED


def test_every_step_is_on_record(clock: FakeClock, closed: Live) -> None:
    database = closed.services.database
    ending.trash(closed.services, "habits", actor="ana")
    ending.restore(database, "habits", actor="ben")
    ending.trash(closed.services, "habits")
    clock.now = "2027-02-01T00:00:00Z"
    ending.finish_due(database)
    entries = [
        (item.actor, item.action) for item in reversed(audit_log.entries(database.reader, "habits"))
    ]
    assert entries[2:] == [
        ("ana", "trash"),
        ("ben", "restore"),
        ("operator", "trash"),
        ("clock", "remove"),
    ]


def test_the_operator_trashes_and_restores_directly_or_through_the_server(live: Live) -> None:
    with live.folder.announced(live.url):
        operating.close(live.folder, "habits")
        trashed = operating.trash(live.folder, "habits")
        assert (trashed["state"], live.get("/s/habits").status) == ("trashed", 410)
        assert trashed["removed_on"] > "2026"
        assert operating.restore(live.folder, "habits")["state"] == "closed"
