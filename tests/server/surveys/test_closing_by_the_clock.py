"""What the clock has ended is closed for good, whoever notices it, whatever happens meanwhile."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from client.core.tickets.ticket import report_id
from server.data_folder import DataFolder
from server.housekeeping import housekeeping_thread, tend
from server.lifecycle import ending
from server.serving import running_services
from server.store import reading
from server.store.database import Database, open_reader
from server.store.verify import verify
from tests.support.clock import FakeClock, at
from tests.support.live import Live
from tests.support.publishing import publish_draft

Draft = dict[str, Any]


def file_order(live: Live, ids: list[str]) -> list[str]:
    file = live.folder.database.read_bytes()
    return sorted(ids, key=lambda id: file.index(id.encode()))


def assert_closed_for_good(live: Live, ids: list[str]) -> None:
    """Digest, sound tallies, an empty log, and pages that tell no order."""
    (row,) = live.stored()["surveys"]
    assert row[4] == "closed"
    assert reading.newest(live.services.database.reader, "habits").digest is not None
    assert verify(live.folder.database).problems == []
    assert live.folder.database.with_name("candor.db-wal").stat().st_size == 0
    assert file_order(live, ids) in (sorted(ids), sorted(ids, reverse=True))


def handed_in(live: Live, count: int = 30) -> list[str]:
    for _ in range(count):
        assert live.post(live.report()).status == 201
    ids = [row[1] for row in live.stored()["reports"]]
    # Out of the log and into the file, in the order of their arrival.
    live.services.database.run_alone(lambda db: db.empty_log())
    assert file_order(live, ids) not in (sorted(ids), sorted(ids, reverse=True))
    return ids


def test_what_the_clock_has_ended_is_closed_for_good_by_the_next_touch(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        ids = handed_in(live)
        clock.now = "2026-11-21T00:00:00Z"
        assert reading.newest(live.services.database.reader, "habits").digest is None
        ending.finish_due(live.services.database)
        assert_closed_for_good(live, ids)


def test_the_servers_own_timer_closes_what_is_due(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft) as live:
        ids = handed_in(live)
        ending.begin_closing(live.services, "habits", "1")
        rounds = threading.Event()
        with (
            closing(_After(folder.path / "other.db", rounds)) as other,
            housekeeping_thread(live.services.watch, live.services.database, other, seconds=0.01),
        ):
            clock.now = "2026-11-20T13:00:00Z"
            rounds.clear()
            # The round after the next began after the clock was moved.
            for _ in range(2):
                assert rounds.wait(60)
                rounds.clear()
        assert_closed_for_good(live, ids)


class _After(Database):
    """Tended after another one: tells that a round is over."""

    def __init__(self, path: Path, rounds: threading.Event) -> None:
        super().__init__(path)
        self._rounds = rounds

    def empty_log(self) -> None:
        self._rounds.set()


def test_a_server_that_was_down_at_the_end_closes_an_hour_after_its_start(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, closes="2026-11-20") as live:
        live.post(live.report())
    clock.now = "2026-12-12T00:00:00Z"
    with running_services(folder, clock, housekeeping=False, passed=clock.passed) as services:
        tend(services.watch, services.database)
        # An hour later: a clock that is wrong at start is not believed at once.
        clock.wait(1)
        tend(services.watch, services.database)
    with closing(open_reader(folder.database)) as db:
        assert db.execute("SELECT state, reports FROM surveys").fetchone() == ("closed", 1)
    assert verify(folder.database).is_sound


def test_a_rewriting_that_a_crash_prevented_is_made_up_for(live: Live) -> None:
    ids = handed_in(live)
    store = live.services.database
    # As if the process died after the transaction that closed and before the file was rewritten.
    store.rewrite_if_owed = lambda: True  # type: ignore[method-assign]
    ending.close(store, "habits")
    assert file_order(live, ids) not in (sorted(ids), sorted(ids, reverse=True))
    del store.rewrite_if_owed
    ending.finish_due(store)
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
        ending.begin_closing(live.services, "habits", "1")
        start = threading.Barrier(13)

        def hand_in(mine: list[str]) -> dict[str, int]:
            start.wait()
            return {ticket: live.post(live.report(), ticket).status for ticket in mine}

        with (
            ThreadPoolExecutor(12) as pool,
            housekeeping_thread(live.services.watch, live.services.database, seconds=0.001),
        ):
            jobs = [pool.submit(hand_in, tickets[i::12]) for i in range(12)]
            start.wait()
            while len(live.stored()["reports"]) < 40:
                pass
            clock.now = "2026-11-20T13:00:00Z"
            heard = {ticket: status for job in jobs for ticket, status in job.result().items()}
        ending.finish_due(live.services.database)
        stored = {row[1] for row in live.stored()["spent"]}
        assert set(heard.values()) == {201, 410}
        assert stored == {report_id(ticket) for ticket, status in heard.items() if status == 201}
        assert reading.newest(live.services.database.reader, "habits").reports == len(stored)
        assert verify(folder.database).problems == []
