"""A clock that jumps closes nothing and deletes nothing; what it hides comes back."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client.core.primitives.refusal import Refusal
from server.cli import main
from server.clock.trust import Trust
from server.clock.watch import seconds_passed
from server.data_folder import DataFolder
from server.housekeeping import tend
from server.lifecycle import ending
from server.lifecycle.ending import delete_due
from server.serving import running_services
from server.store import audit_log, reading
from server.store.database import open_writer
from server.store.researchers import access
from server.surveys.researchers import Role
from server.surveys.schedule import utc_now
from server.surveys.states import State
from server.web.services import Services
from tests.support.clock import NOON, FakeClock, at
from tests.support.live import Live, stored
from tests.support.researcher import hire, logged_in

Draft = dict[str, Any]
FAR = "2036-01-01T00:00:00Z"


@pytest.fixture
def draft(draft: Draft) -> Draft:
    return {**draft, "delete_on": "2027-03-01"}


@pytest.fixture
def live(clock: FakeClock, folder: DataFolder, draft: Draft) -> Iterator[Live]:
    """Three reports to a survey that ends and is deleted in a few months."""
    with at(clock, folder, draft, closes="2027-02-01") as running:
        running.fill(3)
        yield running


@contextmanager
def started(clock: FakeClock, folder: DataFolder) -> Iterator[Services]:
    """A server that starts now; tests do the rounds of its housekeeping themselves."""
    with running_services(folder, clock, housekeeping=False, passed=clock.passed) as services:
        yield services


def rounds(clock: FakeClock, services: Services, hours: int = 0) -> None:
    """Do a round of housekeeping now, and one after every hour."""
    tend(services.watch, services.database, services.drafts)
    for _ in range(hours):
        clock.wait(1)
        tend(services.watch, services.database, services.drafts)


def reports(folder: DataFolder) -> int:
    return len(stored(folder)["reports"])


def state(services: Services) -> State:
    return reading.newest(services.database.reader, "habits").state


def is_closed(services: Services) -> bool:
    return reading.newest(services.database.reader, "habits").digest is not None


def candor(folder: DataFolder, *words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--data", str(folder.path)])


def test_2036_for_one_round_deletes_and_closes_nothing(clock: FakeClock, live: Live) -> None:
    services = live.services
    rounds(clock, services, hours=2)
    clock.jump(FAR)
    # Refusing is harmless: the survey is open again when the clock is right.
    assert state(services) is State.CLOSED
    rounds(clock, services)
    clock.jump("2026-11-20T14:01:00Z")
    rounds(clock, services, hours=2)
    assert not is_closed(services)
    assert state(services) is State.OPEN
    assert reports(live.folder) == 3
    assert live.post(live.report()).status == 201


def test_2036_for_ever_deletes_nothing_before_the_operator_confirms(
    clock: FakeClock, live: Live
) -> None:
    rounds(clock, live.services, hours=2)
    clock.jump(FAR)
    rounds(clock, live.services, hours=48)
    assert reports(live.folder) == 3
    assert not is_closed(live.services)
    live.services.watch.confirm("2036-01-03", "operator")
    rounds(clock, live.services)
    assert reports(live.folder) == 0
    assert state(live.services) is State.PURGED


def test_1970_at_start_closes_nothing_and_the_right_time_goes_on_after_an_hour(
    clock: FakeClock, folder: DataFolder, draft: Draft, caplog: pytest.LogCaptureFixture
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        live.fill(1)
    clock.jump("1970-01-01T00:00:00Z")
    with caplog.at_level(logging.WARNING, "candor"), started(clock, folder) as services:
        rounds(clock, services, hours=3)
        assert services.watch.look() is Trust.BEHIND
        assert "before the last hour on record (2026-11-20T12:00:00Z)" in caplog.text
        clock.jump("2026-11-21T09:00:00Z")
        rounds(clock, services)
        assert not is_closed(services)
        rounds(clock, services, hours=1)
        assert is_closed(services)


def test_time_that_really_passed_closes_and_deletes(clock: FakeClock, live: Live) -> None:
    rounds(clock, live.services)
    clock.now = "2027-02-02T00:00:00Z"
    rounds(clock, live.services)
    assert is_closed(live.services)
    clock.now = "2027-03-01T00:00:00Z"
    rounds(clock, live.services)
    assert reports(live.folder) == 0


def test_the_workbench_says_why_nothing_is_closed_or_deleted(clock: FakeClock, live: Live) -> None:
    hire(live, "ana")

    def page() -> str:
        # The jump ends sessions, too.
        return logged_in(live, "ana").get("/workbench").body.decode()

    assert "The clock" not in page()
    rounds(clock, live.services, hours=2)
    assert "The clock" not in page()
    clock.jump("2026-11-25T12:00:00Z")
    assert "The clock jumped to 2026-11-25T12:00:00Z: nothing is closed or deleted" in page()
    clock.wait(1)
    assert "The clock" not in page()


def test_a_small_correction_is_no_jump(clock: FakeClock, live: Live) -> None:
    rounds(clock, live.services, hours=1)
    for moment in ("2026-11-20T13:09:00Z", "2026-11-20T12:53:00Z"):
        clock.jump(moment)
        assert live.services.watch.look() is Trust.STEADY
    clock.jump("2026-11-20T13:11:00Z")
    assert live.services.watch.look() is Trust.JUMPED


def test_many_small_jumps_add_up_to_a_jump(clock: FakeClock, live: Live) -> None:
    rounds(clock, live.services, hours=1)
    seen = []
    for minutes in range(5, 60, 5):
        clock.jump(f"2026-11-20T13:{minutes:02}:00Z")
        seen.append(live.services.watch.look())
    assert seen[:2] == [Trust.STEADY] * 2
    assert set(seen[2:]) == {Trust.JUMPED}


def test_a_jump_of_days_is_believed_after_an_hour(clock: FakeClock, live: Live) -> None:
    """As after a machine was paused."""
    rounds(clock, live.services, hours=1)
    clock.jump("2026-11-25T12:00:00Z")
    assert live.services.watch.look() is Trust.JUMPED
    clock.wait(1)
    assert live.services.watch.look() is Trust.STEADY


def test_a_server_that_was_off_for_a_week_goes_on_after_an_hour(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        live.fill(1)
    clock.jump("2026-11-27T12:00:00Z")
    with started(clock, folder) as services:
        rounds(clock, services)
        assert not is_closed(services)
        rounds(clock, services, hours=1)
        assert is_closed(services)


def test_a_server_that_was_off_for_three_months_asks_once(
    clock: FakeClock, folder: DataFolder, draft: Draft, caplog: pytest.LogCaptureFixture
) -> None:
    with at(clock, folder, draft) as live:
        live.fill(3)
    clock.jump("2027-03-02T12:00:00Z")
    with caplog.at_level(logging.WARNING, "candor"), started(clock, folder) as services:
        rounds(clock, services, hours=30)
        assert reports(folder) == 3
        assert len(caplog.messages) == 1
        assert "2027-03-02T12:00:00Z" in caplog.messages[0]
        assert "2026-11-20T12:00:00Z" in caplog.messages[0]
        assert "candor clock --confirm DAY" in caplog.messages[0]
        services.watch.confirm("2027-03-03", "operator")
        (entry, *_) = audit_log.entries(services.database.reader)
        assert (entry.actor, entry.action) == ("operator", "confirm_clock")
        rounds(clock, services)
        assert reports(folder) == 0
    clock.wait(24)
    with started(clock, folder) as services:
        rounds(clock, services, hours=1)
        assert services.watch.look() is Trust.STEADY


def test_the_trash_is_not_emptied_by_a_jump_at_start(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    """Even one that is believed: less than 30 days cannot empty what was put there just now."""
    with at(clock, folder, draft) as live:
        ending.close(live.services.database, "habits")
        ending.trash(live.services, "habits")
    for moment in ("2026-12-20T09:00:00Z", "2027-01-20T12:00:00Z"):
        clock.jump(moment)
        with started(clock, folder) as services:
            rounds(clock, services, hours=2)
            assert state(services) is State.TRASHED
        clock.jump(NOON)


@pytest.mark.parametrize("wrong", ["1970-01-01T00:00:00Z", "2026-11-25T12:00:00Z", FAR])
def test_nothing_goes_into_the_trash_and_no_grace_begins_by_a_wrong_clock(
    clock: FakeClock, live: Live, wrong: str
) -> None:
    """By the right one, the days in the trash or the hours of grace would be over at once."""
    services = live.services
    rounds(clock, services, hours=2)
    clock.jump(wrong)
    if wrong < NOON:
        with pytest.raises(Refusal) as refused:
            ending.begin_closing(services, "habits", "2")
        assert refused.value.code == "clock_not_trusted"
    ending.close(services.database, "habits")
    with pytest.raises(Refusal) as refused:
        ending.trash(services, "habits")
    assert refused.value.code == "clock_not_trusted"
    clock.jump("2026-11-20T14:01:00Z")
    rounds(clock, services, hours=1)
    assert state(services) is State.CLOSED
    ending.trash(services, "habits")
    clock.wait(24 * 29)
    rounds(clock, services)
    assert state(services) is State.TRASHED


def test_archive_and_trash_close_nothing_that_is_only_over_by_the_clock(
    clock: FakeClock, live: Live
) -> None:
    services = live.services
    rounds(clock, services, hours=2)
    clock.jump("2027-02-02T12:00:00Z")
    steps: list[Callable[[], object]] = [
        lambda: ending.archive(services.database, "habits"),
        lambda: ending.trash(services, "habits"),
    ]
    for step in steps:
        with pytest.raises(Refusal) as refused:
            step()
        assert not is_closed(services), refused.value.code
    clock.jump("2026-11-20T14:01:00Z")
    rounds(clock, services, hours=1)
    assert live.post(live.report()).status == 201


def test_what_is_over_by_the_clock_waits_in_plain_words_until_it_is_closed_for_good(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    """Its owner can close it, which needs no clock, and only then archive it."""
    invited = {**draft, "access": "invited"}
    with at(clock, folder, invited, closes="2026-11-24") as live:
        services = live.services
        hire(live, "ana")
        services.database.write(access.give_role, "habits", "ana", Role.OWNER)
        rounds(clock, services, hours=2)
        clock.jump("2026-11-25T12:00:00Z")
        page = logged_in(live, "ana").get("/workbench/surveys/habits").body.decode()
        assert "The clock jumped to 2026-11-25T12:00:00Z: nothing is closed or deleted" in page
        assert "The server closes it for good once it trusts the clock." in page
        assert "Too few people took part" not in page
        assert "Close for ever" in page
        assert "Archive" not in page
        public = live.get("/s/habits/results").body.decode()
        assert "This survey is closing." in public
        assert "This survey is closed." not in public
        with pytest.raises(Refusal, match="over by the clock, but not closed for good"):
            ending.archive(services.database, "habits")
        ending.close(services.database, "habits")
        assert ending.archive(services.database, "habits").state is State.ARCHIVED


def test_purge_by_hand_refuses_a_clock_that_cannot_be_right(clock: FakeClock, live: Live) -> None:
    clock.now = NOON
    live.services.watch.look()
    clock.jump(FAR)
    with pytest.raises(Refusal) as caught:
        delete_due(live.services, dry_run=False)
    assert caught.value.code == "clock_not_trusted"
    assert "2036-01-01T00:00:00Z" in caught.value.message
    assert reports(live.folder) == 3
    assert delete_due(live.services, dry_run=True)["purged"]


def test_a_confirmation_needs_the_day_that_the_clock_says(clock: FakeClock, live: Live) -> None:
    live.services.watch.look()
    clock.jump(FAR)
    for day in ("2026-11-20", "", "2036-1-1", "today"):
        with pytest.raises(Refusal) as caught:
            live.services.watch.confirm(day, "operator")
        assert caught.value.code == "wrong_day"
    assert live.services.watch.look() is Trust.AHEAD


def test_a_file_from_before_takes_the_last_moment_of_its_log(
    clock: FakeClock, folder: DataFolder, live: Live
) -> None:
    live.services.database.close()
    with closing(sqlite3.connect(folder.database)) as db, db:
        db.execute("DROP TABLE clock")
        db.execute("DELETE FROM _sqlite_migrations WHERE name = 'clock_table'")
    with closing(open_writer(folder.database)) as opened:
        assert opened.execute("SELECT hour FROM clock").fetchall() == [("2026-11-20T12:00:00Z",)]


def test_the_command_shows_and_confirms_the_clock_beside_a_server(
    clock: FakeClock, live: Live
) -> None:
    live.services.watch.look()
    clock.jump(FAR)
    with live.folder.announced(live.url):
        shown = candor(live.folder, "clock")
        assert "The clock says 2036-01-01 00:00 UTC." in shown.output
        assert "The last hour on record is 2026-11-20 12:00 UTC." in shown.output
        assert "nothing is closed or deleted until you confirm it" in shown.output
        purge = candor(live.folder, "purge")
        assert (purge.exit_code, purge.output[:23]) == (2, "Error: the clock says 2")
        wrong = candor(live.folder, "clock", "--confirm", "2026-11-20")
        assert (wrong.exit_code, "set the clock of the machine" in wrong.output) == (2, True)
        right = candor(live.folder, "clock", "--confirm", "2036-01-01")
        assert "It can be trusted: what is due is closed and deleted." in right.output
        assert candor(live.folder, "purge").exit_code == 0
    assert reports(live.folder) == 0


def test_the_command_confirms_the_clock_without_a_server(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft):
        pass
    with closing(sqlite3.connect(folder.database)) as db, db:
        db.execute("UPDATE clock SET hour = '2020-01-01T00:00:00Z'")
    found = _json(candor(folder, "clock", "--json"))
    assert (found["last_hour"], found["trust"]) == ("2020-01-01T00:00:00Z", "ahead")
    assert (
        _json(candor(folder, "clock", "--json", "--confirm", utc_now()[:10]))["trust"] == "steady"
    )
    assert _json(candor(folder, "clock", "--json"))["trust"] == "watched"


def test_seconds_pass_on_this_machine() -> None:
    assert seconds_passed() <= seconds_passed()


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
