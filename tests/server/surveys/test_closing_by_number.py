"""A survey that is full at a number of reports: exactly that many, and its owner decides."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from client.core.primitives.refusal import Refusal
from server.cli import main
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import audit_log, reading
from server.store.verify import verify
from server.surveys.researchers import Role
from server.surveys.schedule import Schedule
from server.surveys.states import State
from server.web.ticket_rate import TicketRate
from tests.support.clock import NOON, FakeClock, at
from tests.support.live import JSON, Live, everywhere
from tests.support.publishing import publish_draft
from tests.support.researcher import hire, key_of, logged_in

Draft = dict[str, Any]


def test_the_last_report_is_stored_and_the_next_one_refused(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes_at=3) as live:
        late = live.ticket()
        for _ in range(3):
            assert reading.newest(live.services.database.reader, "habits").state is State.OPEN
            assert live.post(live.report()).status == 201
        assert reading.newest(live.services.database.reader, "habits").state is State.FULL
        assert live.send("POST", "/api/surveys/habits/tickets", b"{}", JSON).code == "survey_full"
        answer = live.post(live.report(), late)
        assert (answer.status, answer.code) == (403, "survey_full")
        page = live.get("/s/habits").body.decode()
        assert "This survey is full" in page
        assert 'href="/s/habits/results"' in page
        assert b"This survey is full for now." in live.get("/s/habits/results").body
        assert verify(folder.database).problems == []


def test_forged_reports_do_not_close_a_survey_and_its_owner_takes_the_honest_ones(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    """A stranger with the open link fills it; the report of somebody honest waits, and comes in."""
    with at(clock, folder, draft, closes_at=60) as live:
        honest = live.ticket()
        for _ in range(60):
            live.post(live.report(smokes=1))
        assert live.post(live.report(), honest).code == "survey_full"
        before = live.get("/s/habits/estimates.json").json
        ending.finish_due(live.services.database)
        full = reading.newest(live.services.database.reader, "habits")
        assert (full.state, full.digest, full.reports) == (State.FULL, None, 60)
        assert live.get("/s/habits/estimates.json").json == before
        assert (before["n"], before["final"]) == (50, False)
        ending.reopen(live.services.database, "habits", 100, "ana")
        assert live.post(live.report(), honest).status == 201
        entry = audit_log.entries(live.services.database.reader)[0]
        assert (entry.actor, entry.action, entry.details["closes_at"]) == ("ana", "reopen", 100)
        assert verify(folder.database).problems == []


def test_a_full_survey_is_closed_by_its_owner_or_on_its_last_day(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20", closes_at=2) as live:
        publish_draft(live.services, {**draft, "slug": "other"}, schedule=Schedule(closes_at=2))
        live.fill(2)
        replace(live, survey=reading.newest(live.services.database.reader, "other").survey).fill(2)
        assert ending.close(live.services.database, "other").reports == 2
        clock.now = "2026-11-21T00:00:00Z"
        ending.finish_due(live.services.database)
        for slug in ("habits", "other"):
            closed = reading.newest(live.services.database.reader, slug)
            assert (closed.state, closed.digest is not None) == (State.CLOSED, True)


@pytest.mark.parametrize("number", [0, 1, 2, 10**9 + 1])
def test_a_number_that_would_be_full_at_once_does_not_reopen(
    clock: FakeClock, folder: DataFolder, draft: Draft, number: int
) -> None:
    with at(clock, folder, draft, closes_at=2) as live:
        live.fill(2)
        with pytest.raises(Refusal) as caught:
            ending.reopen(live.services.database, "habits", number)
        assert caught.value.code == "bad_closes_at"
        assert reading.newest(live.services.database.reader, "habits").state is State.FULL


def test_the_owner_reopens_by_page_command_and_api(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes_at=1) as live, folder.announced(live.url):
        hire(live, "ana", Role.OWNER)
        live.fill(1)
        ana = logged_in(live, "ana")
        assert "Take more reports …" in ana.get("/workbench/surveys/habits").body.decode()
        steps = "/workbench/surveys/habits/steps/reopen"
        assert ana.get(steps).status == 200
        assert ana.post(steps, closes_at="1").status == 400
        assert ana.post(steps, closes_at="2").status == 303
        live.fill(1)
        again = live.send(
            "POST", "/api/surveys/habits/reopen?closes_at=3", headers=key_of(live, "ana")
        )
        assert (again.json["state"], again.json["closes_at"]) == ("open", 3)
        live.fill(1)
        command = ["reopen", "habits", "--closes-at", "1000", "--data", str(folder.path)]
        said = CliRunner().invoke(main, command).output
        assert said == "habits takes reports again, until there are 1,000\n"
        refused = CliRunner().invoke(main, command)
        assert (refused.exit_code, "cannot be reopened" in refused.output) == (2, True)


def test_the_last_report_again_is_the_same_again(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes_at=1) as live:
        ticket = live.ticket()
        statuses = [live.post(live.report(), ticket).status for _ in range(2)]
        assert statuses == [201, 200]


def test_no_file_tells_when_the_last_report_came(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes_at=2) as live:
        clock.now = "2026-11-20T17:34:56Z"
        live.fill(2)
        ending.finish_due(live.services.database)
        entries = audit_log.entries_since_removal(live.services.database.reader, "habits")
        assert [(entry.action, entry.moment) for entry in entries] == [("publish", NOON)]
        assert b"17:34:56" not in everywhere(folder)


@pytest.mark.parametrize("actor", ["clock", "ana"])
def test_whoever_closes_it_before_its_last_report_is_on_record_with_the_moment(
    clock: FakeClock, folder: DataFolder, draft: Draft, actor: str
) -> None:
    with at(clock, folder, draft, closes="2026-11-20", closes_at=2) as live:
        live.fill(1)
        if actor == "clock":
            clock.now = "2026-11-21T00:00:03Z"
            ending.finish_due(live.services.database)
        else:
            ending.close(live.services.database, "habits", actor)
        entry = audit_log.entries_since_removal(live.services.database.reader, "habits")[0]
        assert (entry.actor, entry.action, entry.moment) == (actor, "close", clock.now)


def test_many_at_once_never_make_one_more(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes_at=50) as live:
        tickets = [live.ticket() for _ in range(120)]
        start = threading.Barrier(12)

        def hand_in(mine: list[str]) -> list[int]:
            start.wait()
            return [live.post(live.report(), ticket).status for ticket in mine]

        with ThreadPoolExecutor(12) as pool:
            jobs = [pool.submit(hand_in, tickets[i::12]) for i in range(12)]
            statuses = [status for job in jobs for status in job.result()]
        assert (statuses.count(201), statuses.count(403)) == (50, 70)
        assert len(live.stored()["reports"]) == 50
        ending.finish_due(live.services.database)
        assert verify(folder.database).problems == []


def test_the_number_is_fixed_like_the_days(live: Live, draft: Draft) -> None:
    with pytest.raises(Refusal, match="its days are fixed"):
        publish_draft(live.services, draft, schedule=Schedule(closes_at=5))


@pytest.mark.parametrize("number", [0, -1, 10**9 + 1])
def test_a_number_that_makes_no_sense_is_refused(number: int) -> None:
    with pytest.raises(Refusal) as caught:
        Schedule.of_days(None, None, NOON, number)
    assert (caught.value.code, caught.value.field) == ("bad_closes_at", "closes_at")


def test_the_command_takes_the_number_directly_and_through_the_server(
    live: Live, draft: Draft, tmp_path: Path
) -> None:
    file = tmp_path / "habits.json"
    file.write_text(json.dumps({**draft, "slug": "other"}))
    alone = DataFolder(tmp_path / "alone")
    with live.folder.announced(live.url):
        for folder in (alone, live.folder):
            result = CliRunner().invoke(
                main,
                ["publish", str(file), "--closes-at", "500", "--data", str(folder.path)],
            )
            assert result.exit_code == 0, result.output
            assert "  full at        500 reports\n" in result.output
            assert "Whoever has the open link can send many reports." in result.output
    assert reading.newest(live.services.database.reader, "other").schedule.closes_at == 500


def test_an_open_link_gives_only_so_many_tickets_per_hour(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    schedule = Schedule(per_hour=3)
    with at(clock, folder, draft) as live:
        publish_draft(live.services, {**draft, "slug": "other"}, schedule=schedule)
        given = [live.send("POST", "/api/surveys/other/tickets", b"{}", JSON) for _ in range(4)]
        assert [answer.status for answer in given] == [201, 201, 201, 429]
        assert given[3].code == "too_many_now"
        assert given[3].headers["Retry-After"] == "3660"
        # Other surveys are not held up.
        assert live.send("POST", "/api/surveys/habits/tickets", b"{}", JSON).status == 201


def test_in_no_hour_are_there_more_tickets_than_the_rate() -> None:
    now = [0.0]
    rate = TicketRate(lambda: now[0])
    given: list[float] = []
    waits: list[int] = []
    for _ in range(2000):
        now[0] += 17
        try:
            rate.count(1, 5)
        except Refusal as refusal:
            waits.append(refusal.values["minutes"])
        else:
            given.append(now[0])
    assert (min(waits), max(waits)) == (1, 60)
    assert max(sum(t <= other < t + 3600 for other in given) for t in given) == 5
    assert len(given) == 5 * (1 + 2000 * 17 // 3660)


def test_personal_links_have_no_rate(live: Live, draft: Draft) -> None:
    with pytest.raises(Refusal) as caught:
        publish_draft(
            live.services,
            {**draft, "slug": "staff", "access": "invited"},
            schedule=Schedule(per_hour=3),
        )
    assert (caught.value.code, caught.value.field) == ("rate_of_personal_links", "per_hour")
