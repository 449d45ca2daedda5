"""The states of a survey: the clock makes them, one table says what each allows."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from client.refusal import Refusal
from client.words import secure_hex
from server.caretaker import tended
from server.data import DataFolder
from server.publishing import publish_draft
from server.serving import running_services
from server.store import Change, Schedule, State, Store, rewriting
from server.store.connection import open_reader
from server.store.file import StoreFile
from server.store.schedule import after, utc_now
from server.store.schema import migrations
from server.store.states import ALLOWED, Decided
from server.store.verify import verify
from tests.clock import NOON, FakeClock, at
from tests.live import Live

Draft = dict[str, Any]


def state(live: Live) -> State:
    return live.services.store.latest("habits").state


def ticket_code(live: Live) -> tuple[int, str]:
    answer = live.send("POST", "/api/surveys/habits/tickets")
    return answer.status, "" if answer.status == 201 else answer.code


def test_a_survey_opens_by_the_clock_and_closes_by_it(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, opens="2026-12-01", closes="2026-12-02") as live:
        assert state(live) is State.NOT_YET_OPEN
        assert ticket_code(live) == (403, "survey_not_open")
        for moment in ("2026-12-01T00:00:00Z", "2026-12-02T23:59:59Z"):
            clock.now = moment
            assert state(live) is State.OPEN
            assert live.put(live.report()).status == 201
        ticket = live.ticket()
        clock.now = "2026-12-03T00:00:00Z"
        assert state(live) is State.CLOSED
        assert ticket_code(live) == (410, "survey_closed")
        late = live.put(live.report(), ticket)
        assert (late.status, late.code) == (410, "survey_closed")
        assert len(live.stored()["reports"]) == 2


def test_a_ticket_cannot_be_used_before_the_survey_is_open(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, opens="2026-11-20") as live:
        ticket = live.ticket()
        clock.now = "2026-11-19T23:59:59Z"
        early = live.put(live.report(), ticket)
        assert (early.status, early.code) == (403, "survey_not_open")
        assert live.stored()["reports"] == []


def test_nothing_about_time_is_kept_but_the_days_of_the_survey(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, opens="2026-11-01", closes="2026-12-24") as live:
        live.put(live.report())
        rows = live.stored()
    days = [value for value in rows["surveys"][0][7:] if isinstance(value, str)]
    assert days == ["2026-11-01T00:00:00Z", "2026-12-25T00:00:00Z", "2999-12-31T00:00:00Z"]
    for table in ("reports", "tickets", "tallies"):
        assert "2026" not in str(rows[table])


def test_a_grace_gives_no_tickets_but_takes_reports_until_it_is_over(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft) as live:
        in_time, late = live.ticket(), live.ticket()
        published = live.services.store.begin_closing("habits", "1.5")
        assert (published.state, published.schedule.last_minute) == (
            State.CLOSING,
            "2026-11-20 13:29 UTC",
        )
        assert ticket_code(live) == (410, "survey_closing")
        clock.now = "2026-11-20T13:29:59Z"
        assert live.put(live.report(), in_time).status == 201
        clock.now = "2026-11-20T13:30:00Z"
        refused = live.put(live.report(), late)
        assert (refused.status, refused.code) == (410, "survey_closed")
        assert len(live.stored()["reports"]) == 1


def test_a_grace_does_not_outlast_the_closing_day(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        published = live.services.store.begin_closing("habits", "48")
        assert published.schedule.last_minute == "2026-11-20 23:59 UTC"


def test_a_closing_survey_can_be_closed_at_once(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft) as live:
        live.put(live.report())
        live.services.store.begin_closing("habits", "24")
        assert live.services.store.close_survey("habits").reports == 1
        assert state(live) is State.CLOSED


def file_order(live: Live, ids: list[str]) -> list[str]:
    file = live.folder.database.read_bytes()
    return sorted(ids, key=lambda id: file.index(id.encode()))


def assert_closed_for_good(live: Live, ids: list[str]) -> None:
    """Digest, sound tallies, an empty log, and pages that tell no order."""
    (row,) = live.stored()["surveys"]
    assert row[4] == "closed"
    assert live.services.store.latest("habits").digest is not None
    assert verify(live.folder.database).problems == []
    assert live.folder.database.with_name("candor.db-wal").stat().st_size == 0
    assert file_order(live, ids) in (sorted(ids), sorted(ids, reverse=True))


def handed_in(live: Live, count: int = 30) -> list[str]:
    ids = [secure_hex(4) for _ in range(count)]
    for id in ids:
        assert live.put(live.report(), id=id).status == 201
    # Out of the log and into the file, in the order of their arrival.
    live.services.store._file.write(rewriting.empty_log, alone=True)
    assert file_order(live, ids) not in (sorted(ids), sorted(ids, reverse=True))
    return ids


def test_what_the_clock_has_ended_is_closed_for_good_by_the_next_touch(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        ids = handed_in(live)
        clock.now = "2026-11-21T00:00:00Z"
        assert live.services.store.latest("habits").digest is None
        live.services.store.tend()
        assert_closed_for_good(live, ids)


def test_the_servers_own_timer_closes_what_is_due(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft) as live:
        ids = handed_in(live)
        live.services.store.begin_closing("habits", "1")
        rounds = threading.Event()
        store = live.services.store
        with tended(store, _After(store, rounds), seconds=0.01):
            clock.now = "2026-11-20T13:00:00Z"
            rounds.clear()
            # The round after the next began after the clock was moved.
            for _ in range(2):
                assert rounds.wait(60)
                rounds.clear()
        assert_closed_for_good(live, ids)


class _After(Store):
    """Tended after a store: tells that a round is over."""

    def __init__(self, store: Store, rounds: threading.Event) -> None:
        self._rounds = rounds

    def tend(self) -> None:
        self._rounds.set()


def test_a_server_that_was_down_at_the_end_closes_when_it_starts(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        live.put(live.report())
    clock.now = "2026-12-24T00:00:00Z"
    with running_services(folder, clock) as services, tended(services.store):
        pass
    with closing(open_reader(folder.database)) as db:
        assert db.execute("SELECT state, reports FROM surveys").fetchone() == ("closed", 1)
    assert verify(folder.database).is_sound


def test_a_rewriting_that_a_crash_prevented_is_made_up_for(live: Live) -> None:
    ids = handed_in(live)
    store = live.services.store
    # As if the process died after the transaction that closed and before the file was rewritten.
    store._file.rewrite_if_owed = lambda: True  # type: ignore[method-assign]
    store.close_survey("habits")
    assert file_order(live, ids) not in (sorted(ids), sorted(ids, reverse=True))
    del store._file.rewrite_if_owed
    store.tend()
    assert_closed_for_good(live, ids)


def test_a_new_version_also_rewrites_the_file(live: Live, draft: Draft) -> None:
    ids = handed_in(live)
    publish_draft(live.services, {**draft, "title": "Vices"}, new_version=True)
    assert file_order(live, ids) in (sorted(ids), sorted(ids, reverse=True))


def test_reports_in_the_last_moment_of_a_grace_are_stored_or_refused_never_lost(
    folder: DataFolder, draft: Draft
) -> None:
    """The clock ends the grace while twelve devices send; every answer is true."""
    clock = FakeClock()
    with at(clock, folder, draft) as live:
        tickets = [live.ticket() for _ in range(120)]
        live.services.store.begin_closing("habits", "1")
        start = threading.Barrier(13)

        def hand_in(mine: list[str]) -> dict[str, int]:
            start.wait()
            ids = {secure_hex(4): ticket for ticket in mine}
            return {id: live.put(live.report(), ticket, id).status for id, ticket in ids.items()}

        with ThreadPoolExecutor(12) as pool, tended(live.services.store, seconds=0.001):
            jobs = [pool.submit(hand_in, tickets[i::12]) for i in range(12)]
            start.wait()
            while len(live.stored()["reports"]) < 40:
                pass
            clock.now = "2026-11-20T13:00:00Z"
            heard = {id: status for job in jobs for id, status in job.result().items()}
        live.services.store.tend()
        stored = {row[1] for row in live.stored()["reports"]}
        assert set(heard.values()) == {201, 410}
        assert stored == {id for id, status in heard.items() if status == 201}
        assert live.services.store.latest("habits").reports == len(stored)
        assert verify(folder.database).problems == []


def in_state(live: Live, clock: FakeClock, wanted: State) -> None:
    store = live.services.store
    if wanted is State.CLOSING:
        store.begin_closing("habits", "1")
    if wanted in (State.CLOSED, State.ARCHIVED, State.TRASHED):
        store.close_survey("habits")
    if wanted is State.ARCHIVED:
        store.archive("habits")
    if wanted is State.TRASHED:
        store.trash("habits")
    if wanted is State.PURGED:
        clock.now = "2999-12-31T00:00:00Z"
        store.purge()
    assert state(live) is wanted


OPERATORS = {
    Change.BEGIN_CLOSING: lambda store: store.begin_closing("habits", "1"),
    Change.CLOSE: lambda store: store.close_survey("habits"),
    Change.ARCHIVE: lambda store: store.archive("habits"),
    Change.EXPORT: lambda store: store.ballots("habits").__enter__(),
    Change.TRASH: lambda store: store.trash("habits"),
    Change.RESTORE: lambda store: store.restore("habits"),
}
PUBLISHED = [item for item in State if item is not State.DRAFT]


@pytest.mark.parametrize(
    ("before", "change"), list(product(PUBLISHED, OPERATORS)), ids=lambda item: str(item)
)
def test_the_table_decides_and_a_refusal_names_the_state(
    clock: FakeClock, folder: DataFolder, draft: Draft, before: State, change: Change
) -> None:
    opens = "2026-12-01" if before is State.NOT_YET_OPEN else None
    with at(clock, folder, draft, opens) as live:
        in_state(live, clock, before)
        rows = live.stored()
        if before in ALLOWED[change]:
            OPERATORS[change](live.services.store)
        else:
            with pytest.raises(Refusal) as caught:
                OPERATORS[change](live.services.store)
            assert caught.value.code == "wrong_state"
            assert f"'habits' is {before.words}: it cannot {change}" in caught.value.message
            assert live.stored() == rows


def test_the_table_is_what_was_meant() -> None:
    allowed = {change: sorted(item.value for item in states) for change, states in ALLOWED.items()}
    assert allowed == {
        Change.GIVE_TICKETS: ["draft", "open"],
        Change.TAKE_REPORTS: ["closing", "draft", "open"],
        Change.BEGIN_CLOSING: ["open"],
        Change.CLOSE: ["closed", "closing", "not_yet_open", "open"],
        Change.ARCHIVE: ["closed"],
        Change.EXPORT: ["archived", "closed", "closing", "draft", "not_yet_open", "open"],
        Change.TRASH: ["archived", "closed", "purged"],
        Change.RESTORE: ["trashed"],
    }


def test_every_decision_and_moment_has_one_state() -> None:
    schedule = Schedule("2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z")
    early, during, over = "2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z"

    def states(**decided: bool) -> list[State]:
        all_false = {"is_closing": False, "is_closed": False, "is_archived": False}
        decision = Decided(schedule, **(all_false | decided))
        return [decision.state_at(moment) for moment in (early, during, over)]

    assert states() == [State.NOT_YET_OPEN, State.OPEN, State.CLOSED]
    assert states(is_closing=True) == [State.CLOSING, State.CLOSING, State.CLOSED]
    assert states(is_closed=True) == [State.CLOSED] * 3
    assert states(is_closed=True, is_archived=True) == [State.ARCHIVED] * 3
    assert states(is_full=True) == [State.CLOSED] * 3
    assert states(is_closed=True, is_archived=True, is_purged=True) == [State.PURGED] * 3
    assert states(is_closed=True, is_purged=True, is_trashed=True) == [State.TRASHED] * 3


@pytest.mark.parametrize(
    ("opens", "closes", "code"),
    [
        ("soon", None, "bad_opens"),
        ("2026-02-30", None, "bad_opens"),
        ("20261201", None, "bad_opens"),
        ("2026-12-01T00:00", None, "bad_opens"),
        ("9999-12-31", None, "bad_opens"),
        ("", None, "bad_opens"),
        (None, "2026-11-19", "bad_closes"),
        (None, "9999-12-31", "bad_closes"),
        ("2026-12-02", "2026-12-01", "bad_closes"),
    ],
)
def test_days_that_make_no_sense_are_refused(
    opens: str | None, closes: str | None, code: str
) -> None:
    with pytest.raises(Refusal) as caught:
        Schedule.of_days(opens, closes, NOON)
    assert (caught.value.code, caught.value.field) == (code, code.removeprefix("bad_"))


def test_today_may_be_the_first_and_the_last_day() -> None:
    schedule = Schedule.of_days("2026-11-20", "2026-11-20", NOON)
    assert schedule == Schedule("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z")


@pytest.mark.parametrize("hours", ["0", "-1", "721", "1e3", "two", "", "NaN"])
def test_a_grace_that_is_no_grace_is_refused(live: Live, hours: str) -> None:
    with pytest.raises(Refusal, match="grace must be"):
        live.services.store.begin_closing("habits", hours)
    assert state(live) is State.OPEN


def test_a_grace_may_be_a_part_of_an_hour_and_is_rounded_up_to_a_second() -> None:
    assert after(NOON, "0.5") == "2026-11-20T12:30:00Z"
    assert after(NOON, "0.000001") == "2026-11-20T12:00:01Z"


def test_the_clock_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    from datetime import UTC, datetime

    assert abs(datetime.fromisoformat(utc_now()) - datetime.now(UTC)).total_seconds() < 3600


def test_the_days_of_a_published_survey_are_fixed(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, opens="2026-12-01") as live:
        same = Schedule.of_days("2026-12-01", None, NOON)
        assert not publish_draft(live.services, draft, schedule=same).created
        assert not publish_draft(live.services, draft).created
        other = Schedule.of_days("2026-12-02", None, NOON)
        with pytest.raises(Refusal, match="is published and not yet open: its days are fixed"):
            publish_draft(live.services, draft, schedule=other)


def test_a_file_from_before_the_states_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "candor.db"
    old = Database(sqlite3.connect(path, isolation_level=None))
    migrations.apply(old, stop_before="states")
    old.execute(
        "INSERT INTO surveys (slug, version, fingerprint, state) VALUES ('a', 1, 'x', 'open')"
    )
    old.execute(
        "INSERT INTO surveys (slug, version, fingerprint, state, digest) "
        "VALUES ('b', 1, 'y', 'closed', 'd')"
    )
    old.close()
    with closing(StoreFile(path)):
        pass
    with closing(open_reader(path)) as db:
        found = db.execute("SELECT slug, state, opens, ends, closing, archived FROM surveys")
        assert found.fetchall() == [
            ("a", "open", None, None, 0, 0),
            ("b", "closed", None, None, 0, 0),
        ]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_an_open_survey_cannot_be_marked_as_archived_in_the_file(live: Live) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        live.services.store._file.write(lambda db: db.execute("UPDATE surveys SET archived = 1"))
