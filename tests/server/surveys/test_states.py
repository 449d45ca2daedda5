"""The states of a survey: the clock makes them, one table says what each allows."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import reading
from server.store.results import read_ballots
from server.surveys.schedule import Schedule
from server.surveys.states import ALLOWED, Change, Decided, State
from server.web.services import Services
from tests.support.clock import FakeClock, at
from tests.support.live import JSON, Live

Draft = dict[str, Any]


def state(live: Live) -> State:
    return reading.newest(live.services.database.reader, "habits").state


def ticket_code(live: Live) -> tuple[int, str]:
    answer = live.send("POST", "/api/surveys/habits/tickets", b"{}", JSON)
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
            assert live.post(live.report()).status == 201
        ticket = live.ticket()
        clock.now = "2026-12-03T00:00:00Z"
        assert state(live) is State.CLOSED
        assert ticket_code(live) == (410, "survey_closed")
        late = live.post(live.report(), ticket)
        assert (late.status, late.code) == (410, "survey_closed")
        assert len(live.stored()["reports"]) == 2


def test_a_ticket_cannot_be_used_before_the_survey_is_open(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, opens="2026-11-20") as live:
        ticket = live.ticket()
        clock.now = "2026-11-19T23:59:59Z"
        early = live.post(live.report(), ticket)
        assert (early.status, early.code) == (403, "survey_not_open")
        assert live.stored()["reports"] == []


def test_nothing_about_time_is_kept_but_the_days_of_the_survey(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, opens="2026-11-01", closes="2026-12-24") as live:
        live.post(live.report())
        rows = live.stored()
    days = [value for value in rows["surveys"][0][7:] if isinstance(value, str)]
    assert days == ["2026-11-01T00:00:00Z", "2026-12-25T00:00:00Z", "2999-12-31T00:00:00Z"]
    for table in ("reports", "spent", "invitations", "tallies"):
        assert "2026" not in str(rows[table])


def test_a_grace_gives_no_tickets_but_takes_reports_until_it_is_over(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft) as live:
        in_time, late = live.ticket(), live.ticket()
        published = ending.begin_closing(live.services, "habits", "1.5")
        assert (published.state, published.schedule.last_minute) == (
            State.CLOSING,
            "2026-11-20 13:29 UTC",
        )
        assert ticket_code(live) == (410, "survey_closing")
        clock.now = "2026-11-20T13:29:59Z"
        assert live.post(live.report(), in_time).status == 201
        clock.now = "2026-11-20T13:30:00Z"
        refused = live.post(live.report(), late)
        assert (refused.status, refused.code) == (410, "survey_closed")
        assert len(live.stored()["reports"]) == 1


def test_a_grace_does_not_outlast_the_closing_day(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        published = ending.begin_closing(live.services, "habits", "48")
        assert published.schedule.last_minute == "2026-11-20 23:59 UTC"


def test_a_closing_survey_can_be_closed_at_once(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft) as live:
        live.post(live.report())
        ending.begin_closing(live.services, "habits", "24")
        assert ending.close(live.services.database, "habits").reports == 1
        assert state(live) is State.CLOSED


def in_state(live: Live, clock: FakeClock, wanted: State) -> None:
    database = live.services.database
    if wanted is State.FULL:
        live.fill(1)
    if wanted is State.ANSWERING:
        clock.wait(24)
    if wanted is State.CLOSING:
        ending.begin_closing(live.services, "habits", "1")
    if wanted in (State.CLOSED, State.ARCHIVED, State.TRASHED):
        ending.close(database, "habits")
    if wanted is State.ARCHIVED:
        ending.archive(database, "habits")
    if wanted is State.TRASHED:
        ending.trash(live.services, "habits")
    if wanted is State.PURGED:
        clock.now = "2999-12-31T00:00:00Z"
        ending.purge(database)
    assert state(live) is wanted


OPERATORS: dict[Change, Callable[[Services], object]] = {
    Change.BEGIN_CLOSING: lambda services: ending.begin_closing(services, "habits", "1"),
    Change.CLOSE: lambda services: ending.close(services.database, "habits"),
    Change.REOPEN: lambda services: ending.reopen(services.database, "habits", 2),
    Change.ARCHIVE: lambda services: ending.archive(services.database, "habits"),
    Change.EXPORT: lambda services: read_ballots(services.database.reader, "habits").__enter__(),
    Change.TRASH: lambda services: ending.trash(services, "habits"),
    Change.RESTORE: lambda services: ending.restore(services.database, "habits"),
}
PUBLISHED = [item for item in State if item is not State.DRAFT]
# What these hide from export has another reason: the results of an invited survey are sealed.
INVITED = (State.COLLECTING, State.ANSWERING)
CASES = [
    (state, change)
    for state, change in product(PUBLISHED, OPERATORS)
    if not (state in INVITED and change is Change.EXPORT)
]


@pytest.mark.parametrize(("before", "change"), CASES, ids=lambda item: str(item))
def test_the_table_decides_and_a_refusal_names_the_state(
    clock: FakeClock, folder: DataFolder, draft: Draft, before: State, change: Change
) -> None:
    opens = "2026-12-01" if before is State.NOT_YET_OPEN else None
    closes_at = 1 if before is State.FULL else None
    if before in INVITED:
        draft |= {"access": "invited", "answer_from": "2026-11-21"}
    with at(clock, folder, draft, opens, closes_at=closes_at) as live:
        in_state(live, clock, before)
        rows = live.stored()
        if before in ALLOWED[change]:
            OPERATORS[change](live.services)
        else:
            with pytest.raises(Refusal) as caught:
                OPERATORS[change](live.services)
            assert caught.value.code == "wrong_state"
            assert f"'habits' is {before.words}: it cannot {change}" in caught.value.message
            assert live.stored() == rows


def test_the_table_is_what_was_meant() -> None:
    allowed = {change: sorted(item.value for item in states) for change, states in ALLOWED.items()}
    assert allowed == {
        Change.GIVE_TICKETS: ["collecting", "draft", "open"],
        Change.TAKE_REPORTS: ["answering", "closing", "draft", "open"],
        Change.INVITE: ["collecting", "not_yet_open", "open"],
        Change.BEGIN_CLOSING: ["answering", "open"],
        Change.CLOSE: [
            *("answering", "closed", "closing", "collecting", "full", "not_yet_open", "open")
        ],
        Change.REOPEN: ["full"],
        Change.ARCHIVE: ["closed"],
        Change.EXPORT: [
            *("answering", "archived", "closed", "closing", "collecting", "draft", "full"),
            *("not_yet_open", "open"),
        ],
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
    collecting = replace(schedule, answer_from="2026-12-01T12:00:00Z")
    decision = Decided(collecting, is_closing=False, is_closed=False, is_archived=False)
    last, first = "2026-12-01T11:59:59Z", "2026-12-01T12:00:00Z"
    assert [decision.state_at(moment) for moment in (early, during, last, first, over)] == [
        State.NOT_YET_OPEN,
        State.COLLECTING,
        State.COLLECTING,
        State.ANSWERING,
        State.CLOSED,
    ]
    assert states(is_closing=True) == [State.CLOSING, State.CLOSING, State.CLOSED]
    assert states(is_closed=True) == [State.CLOSED] * 3
    assert states(is_closed=True, is_archived=True) == [State.ARCHIVED] * 3
    assert states(is_full=True) == [State.FULL, State.FULL, State.CLOSED]
    assert states(is_full=True, is_closing=True) == [State.FULL, State.FULL, State.CLOSED]
    assert states(is_full=True, is_closed=True) == [State.CLOSED] * 3
    assert states(is_closed=True, is_archived=True, is_purged=True) == [State.PURGED] * 3
    assert states(is_closed=True, is_purged=True, is_trashed=True) == [State.TRASHED] * 3


def test_an_open_survey_cannot_be_marked_as_archived_in_the_file(live: Live) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        live.services.database.write(lambda db: db.execute("UPDATE surveys SET archived = 1"))
