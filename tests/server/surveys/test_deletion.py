"""Deletion dates: no survey is published without one, and on that day the bytes are gone."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client.core.primitives.refusal import Refusal
from server.cli import main
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import audit_log, reading
from server.store.database import open_reader
from server.store.verify import verify
from server.surveys.schedule import Schedule, utc_now
from server.surveys.states import State
from server.web.services import Services
from tests.support.clock import NOON, FakeClock, at
from tests.support.live import Live, everywhere
from tests.support.publishing import publish_draft, try_draft

Draft = dict[str, Any]
THE_DAY = "2026-12-24T00:00:00Z"


@pytest.fixture
def draft(draft: Draft) -> Draft:
    return {**draft, "delete_on": "2026-12-24"}


@pytest.fixture
def due(clock: FakeClock, folder: DataFolder, draft: Draft) -> Iterator[Live]:
    """A survey whose deletion date comes when a test moves the clock to it."""
    with at(clock, folder, draft) as live:
        yield live


def without_day(draft: Draft) -> Draft:
    return {name: value for name, value in draft.items() if name != "delete_on"}


def hand_in(live: Live, count: int) -> list[bytes]:
    """What so many reports leave in the file: ids and checksums of contents."""
    for number in range(count):
        assert live.post(live.report(smokes=number % 2)).status == 201
    rows = live.stored()["reports"]
    traces = [trace for _, id, _, checksum, _ in rows for trace in (id.encode(), checksum)]
    live.services.database_of(live.survey.test).run_alone(lambda db: db.empty_log())
    found = everywhere(live.folder)
    assert all(trace in found for trace in traces)
    return traces


def assert_no_trace(folder: DataFolder, traces: list[bytes]) -> None:
    left = everywhere(folder)
    assert [trace for trace in traces if trace in left] == []


def test_a_survey_without_a_deletion_date_is_not_published(
    services: Services, draft: Draft
) -> None:
    with pytest.raises(Refusal, match="such as delete_on: 2027-12-31") as caught:
        publish_draft(services, without_day(draft))
    assert (caught.value.code, caught.value.field) == ("delete_on_missing", "delete_on")


def test_a_draft_can_be_tested_without_a_deletion_date(services: Services, draft: Draft) -> None:
    assert try_draft(services, without_day(draft)).created


@pytest.mark.parametrize(
    ("delete_on", "closes", "fault"),
    [
        ("2026-11-19", None, "later than today"),
        ("2026-11-20", None, "later than today"),
        ("2026-11-21", None, None),
        ("2026-11-30", "2026-12-01", "after the last day"),
        ("2026-12-01", "2026-12-01", "after the last day"),
        ("2026-12-02", "2026-12-01", None),
        ("2027-02-29", None, "a day such as"),
        ("2999-12-31", "2026-12-01", None),
    ],
)
def test_the_deletion_date_comes_after_today_and_after_the_last_report(
    delete_on: str, closes: str | None, fault: str | None
) -> None:
    schedule = Schedule.of_days(None, closes, NOON)
    if fault is None:
        schedule.require_deletion(delete_on, NOON)
        return
    with pytest.raises(Refusal, match=fault) as caught:
        schedule.require_deletion(delete_on, NOON)
    assert (caught.value.code, caught.value.field) == ("bad_delete_on", "delete_on")


def test_a_survey_that_nothing_else_ends_takes_reports_until_the_day_before(
    clock: FakeClock, due: Live
) -> None:
    ticket = due.ticket()
    assert (
        reading.newest(due.services.database.reader, "habits").schedule.last_minute
        == "2026-12-23 23:59 UTC"
    )
    clock.now = "2026-12-23T23:59:59Z"
    assert due.post(due.report()).status == 201
    clock.now = THE_DAY
    assert reading.newest(due.services.database.reader, "habits").state is State.CLOSED
    assert due.post(due.report(), ticket).code == "survey_closed"


def test_on_its_day_everything_about_a_respondent_is_gone_from_the_bytes(
    clock: FakeClock, due: Live
) -> None:
    traces = hand_in(due, 60)
    clock.now = "2026-12-23T23:59:59Z"
    ending.finish_due(due.services.database)
    assert len(due.stored()["reports"]) == 60
    clock.now = THE_DAY
    ending.finish_due(due.services.database)
    assert_no_trace(due.folder, traces)
    assert due.stored()["reports"] == due.stored()["spent"] == []
    assert verify(due.folder.database).problems == []


def test_only_the_versions_whose_day_has_come_are_deleted(
    clock: FakeClock, due: Live, draft: Draft
) -> None:
    hand_in(due, 3)
    publish_draft(due.services, {**draft, "delete_on": "2027-12-24"}, new_version=True)
    later = Live(
        due.url,
        due.folder,
        due.services,
        reading.newest(due.services.database.reader, "habits").survey,
    )
    assert later.post(later.report()).status == 201
    clock.now = THE_DAY
    ending.finish_due(due.services.database)
    newest, oldest = reading.versions(due.services.database.reader, "habits")
    assert (newest.state, oldest.state) == (State.OPEN, State.PURGED)
    assert len(due.stored()["reports"]) == 1


def test_a_test_is_wiped_on_the_day_of_its_draft(clock: FakeClock, due: Live, draft: Draft) -> None:
    survey = try_draft(due.services, {**draft, "slug": "other"}).published.survey
    test = Live(due.url, due.folder, due.services, survey)
    traces = hand_in(test, 5)
    try_draft(due.services, {**draft, "slug": "staff", "access": "invited"})
    keys = due.folder.test_keys
    assert len(list(keys.iterdir())) == 1
    clock.now = THE_DAY
    ending.finish_due(due.services.drafts)
    assert_no_trace(due.folder, traces)
    assert test.stored()["surveys"] == []
    assert list(keys.iterdir()) == []


def test_the_deletion_is_on_record_and_done_once(clock: FakeClock, due: Live) -> None:
    hand_in(due, 3)
    clock.now = THE_DAY
    for _ in range(2):
        ending.finish_due(due.services.database)
    entries = [
        (item.actor, item.action)
        for item in audit_log.entries_since_removal(due.services.database.reader, "habits")
    ]
    assert entries == [("clock", "purge"), ("clock", "close"), ("operator", "publish")]
    assert audit_log.entries_since_removal(due.services.database.reader, "habits")[0].details == {
        "version": 1,
        "reports": 3,
    }


def test_a_deletion_that_a_reader_delays_is_told_and_made_up_for(
    clock: FakeClock, due: Live
) -> None:
    traces = hand_in(due, 3)
    clock.now = THE_DAY
    writer = due.services.database
    writer.run_alone(lambda db: db.execute("PRAGMA busy_timeout = 10").fetchone())
    with closing(open_reader(due.folder.database)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM reports").fetchone()
        _, clean = ending.purge(due.services.database)
    assert not clean
    assert ending.purge(due.services.database)[1]
    assert_no_trace(due.folder, traces)


def test_verification_names_a_report_that_outlived_its_day(clock: FakeClock, due: Live) -> None:
    hand_in(due, 2)
    ending.close(due.services.database, "habits")
    mark = "UPDATE surveys SET purged = 1"
    due.services.database.write(lambda db: db.execute(mark))
    assert "habits version 1: reports after the deletion: stored 0, counted 2" in (
        verify(due.folder.database).problems
    )


def run(folder: DataFolder, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--data", str(folder.path)])


def expire(folder: DataFolder) -> None:
    """As if the promised day were long past."""
    with closing(sqlite3.connect(folder.database)) as db, db:
        db.execute("UPDATE surveys SET deletes = '2020-01-01T00:00:00Z'")


def test_the_command_says_what_is_due_and_then_does_it(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, {**draft, "delete_on": "2999-12-31"}) as live:
        traces = hand_in(live, 3)
        assert run(folder, "purge").exit_code == 2
        with folder.announced(live.url):
            assert run(folder, "purge").output == "Nothing is due.\n"
    expire(folder)
    line = "habits version 1: 3 reports {} (due 2999-12-31)\n"
    assert run(folder, "purge", "--dry-run").output == line.format("to delete")
    assert traces[0] in everywhere(folder)
    # The machine's clock is not that of the test.
    assert run(folder, "clock", "--confirm", utc_now()[:10]).exit_code == 0
    assert run(folder, "purge").output == line.format("deleted")
    assert_no_trace(folder, traces)
    summary = json.loads(run(folder, "purge", "--json").output)
    assert summary == {"dry_run": False, "purged": [], "removed": [], "compacted": True}
