"""A survey that closes at a number of reports: exactly that many, whatever comes at once."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
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
from tests.support.clock import NOON, FakeClock, at
from tests.support.live import Live, everywhere
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
            assert live.put(live.report()).status == 201
        assert reading.newest(live.services.database.reader, "habits").state is State.CLOSED
        assert live.send("POST", "/api/surveys/habits/tickets").code == "survey_closed"
        answer = live.put(live.report(), late)
        assert (answer.status, answer.code) == (410, "survey_closed")
        ending.finish_due(live.services.database)
        latest = reading.newest(live.services.database.reader, "habits")
        assert (latest.reports, latest.digest is not None) == (3, True)
        assert verify(folder.database).problems == []


def test_the_last_report_again_is_the_same_again(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes_at=1) as live:
        ticket, id = live.ticket(), "ab" * 16
        statuses = [live.put(live.report(), ticket, id).status for _ in range(2)]
        assert statuses == [201, 200]


def test_the_log_does_not_tell_when_the_last_report_came(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes_at=2) as live:
        live.fill(2)
        clock.now = "2026-11-20T17:34:56Z"
        ending.finish_due(live.services.database)
        entries = audit_log.entries_since_removal(live.services.database.reader, "habits")
        assert [(entry.action, entry.moment) for entry in entries] == [
            ("close", "2026-11-20"),
            ("publish", NOON),
        ]
        assert b"17:34:56" not in everywhere(folder)
        assert verify(folder.database).problems == []
        hire(live, "vera", Role.VIEWER)
        key = key_of(live, "vera")
        logged = live.send("GET", "/api/surveys/habits/log", headers=key).json
        assert {entry["action"]: entry["moment"] for entry in logged}["close"] == "2026-11-20"
        page = logged_in(live, "vera").get("/workbench/surveys/habits/log").body.decode()
        assert '<th scope="row">2026-11-20</th>' in page
        assert '<th scope="row">2026-11-20 12:00 UTC</th>' in page


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
            return [live.put(live.report(), ticket).status for ticket in mine]

        with ThreadPoolExecutor(12) as pool:
            jobs = [pool.submit(hand_in, tickets[i::12]) for i in range(12)]
            statuses = [status for job in jobs for status in job.result()]
        assert (statuses.count(201), statuses.count(410)) == (50, 70)
        assert len(live.stored()["reports"]) == len(live.stored()["tickets"]) == 50
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
            assert "  closes at      500 reports\n" in result.output
    assert reading.newest(live.services.database.reader, "other").schedule.closes_at == 500
