"""Public results are snapshots: nobody can watch a single report being counted."""

import itertools
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.lifecycle.hand_in import store_ballot
from server.results.shown import live_results, public_results
from server.store import ballot_box, reading
from server.store.checksums import snapshot_checksum
from server.store.verify import verify
from server.store.writer import Entry, commit_all
from server.surveys.ballots.ballot import Ballot
from server.surveys.disclosure import MINIMUM, is_milestone, next_milestone
from server.surveys.schedule import Schedule
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft, try_draft

REFRESHES = 1000
PATHS = ("results", "estimates.json", "estimates.csv")


def public(live: Live) -> dict[str, bytes]:
    """Every public answer about the results, with its headers but for the clock."""
    answers = {path: live.get(f"/s/habits/{path}") for path in PATHS}
    return {
        path: repr(sorted((k, v) for k, v in answer.headers.items() if k != "Date")).encode()
        + answer.body
        for path, answer in answers.items()
    }


def ballots(live: Live, count: int, **randomized: int) -> list[Ballot]:
    published = reading.newest(live.services.database.reader, "habits")
    report = live.parsed(**randomized)
    return [Ballot(published.survey, secure_hex(4), report) for _ in range(count)]


def job(ballot: Ballot) -> Entry:
    return Entry(ballot_box.put_all, ballot)


def shown(live: Live) -> tuple[int, tuple[int, ...]]:
    """How many reports the snapshot counts, and its tally of smokers."""
    results = public_results(live.services.database, "habits")
    return results.n, results.tallies["smokes"].counts


def test_milestones_are_one_two_five_from_the_minimum_on() -> None:
    found = list(itertools.takewhile(lambda n: n <= 10_000, milestones()))
    assert found == [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
    assert [n for n in range(10_001) if is_milestone(n)] == found


def milestones() -> Any:
    n = 0
    while True:
        n = next_milestone(n)
        yield n


def test_between_two_milestones_come_as_many_reports_as_the_first_one_needs() -> None:
    for before, after in itertools.pairwise(itertools.islice(milestones(), 30)):
        assert after - before >= MINIMUM


def test_a_thousand_refreshes_between_two_milestones_see_one_and_the_same_answer(
    live: Live,
) -> None:
    live.fill(50, smokes=1)
    before = public(live)
    with ThreadPoolExecutor(1) as pool:
        arriving = pool.submit(live.fill, 49, drinks=1)
        figures = {live.get("/s/habits/estimates.json").body for _ in range(REFRESHES)}
        arriving.result()
    assert len(figures) == 1
    assert public(live) == before
    assert live_results(live.services.database, "habits").n == 99


def test_nothing_is_told_of_fewer_reports_than_the_minimum(live: Live) -> None:
    before = public(live)
    live.fill(MINIMUM - 1)
    assert public(live) == before
    assert b"No results yet" in before["results"]
    live.fill(1)
    assert b"Estimated from 50 randomized answers" in public(live)["results"]


def test_the_page_says_when_it_will_change(live: Live) -> None:
    live.fill(MINIMUM)
    page = public(live)["results"].decode()
    assert "This is a snapshot at 50 answers. The next one is taken at 100 answers" in page
    body = live.get("/s/habits/estimates.json").json
    assert (body["n"], body["next_n"], body["final"], body["hidden_below"]) == (50, 100, False, 50)


def test_the_snapshot_is_of_the_milestone_however_many_reports_share_a_commit(live: Live) -> None:
    """The 41st to the 160th report in one transaction: the snapshot counts the first hundred."""
    live.fill(40)
    jobs = list(map(job, [*ballots(live, 60, smokes=1), *ballots(live, 60)]))
    live.services.database.run_alone(lambda db: commit_all(db, jobs))
    assert all(each.done.result() for each in jobs)
    assert shown(live) == (100, (40, 60))
    assert live_results(live.services.database, "habits").n == 160


def test_every_milestone_is_met_exactly_when_reports_race(live: Live) -> None:
    with ThreadPoolExecutor(32) as pool:
        assert all(
            pool.map(partial(store_ballot, live.services.database), ballots(live, 230, smokes=1))
        )
    assert shown(live) == (200, (0, 200))


def test_a_refused_report_takes_no_snapshot(live: Live) -> None:
    first = ballots(live, 1)[0]
    store_ballot(live.services.database, first)
    live.fill(48)
    spent = Ballot(first.survey, first.id, live.parsed(smokes=1))
    with pytest.raises(Refusal, match="ticket has been used"):
        store_ballot(live.services.database, spent)
    assert not store_ballot(live.services.database, first)
    assert shown(live) == (0, (0, 0))
    live.fill(1)
    assert shown(live) == (50, (50, 0))


def test_the_snapshot_of_the_closing_is_complete_and_final(live: Live) -> None:
    live.fill(100)
    live.fill(50, smokes=1)
    assert shown(live) == (100, (100, 0))
    ending.close(live.services.database, "habits")
    final = public(live)
    assert shown(live) == (150, (100, 50))
    assert b"These are the final results.</p>" in final["results"]
    assert live.get("/s/habits/estimates.json").json["next_n"] is None
    ending.close(live.services.database, "habits")
    assert public(live) == final


@pytest.mark.parametrize("closes_at", [None, 51])
def test_whoever_remembers_a_milestone_cannot_single_out_who_came_before_the_closing(
    live: Live, closes_at: int | None, draft: dict[str, Any]
) -> None:
    """The results of 51 reports less those of 50 would be a report."""
    if closes_at:
        again = {**draft, "title": "Again"}
        publish_draft(live.services, again, True, schedule=Schedule(closes_at=closes_at))
        live = replace(live, survey=reading.newest(live.services.database.reader, "habits").survey)
    live.fill(50)
    live.fill(1, smokes=1)
    ending.finish_due(live.services.database)
    ending.close(live.services.database, "habits")
    assert shown(live) == (50, (50, 0))
    page = live.get("/s/habits/results").body.decode()
    assert "These are the final results. The very last answers are not counted here" in page
    assert live_results(live.services.database, "habits").n == 51
    assert verify(live.folder.database).is_sound


def test_a_survey_that_closes_with_too_few_reports_shows_none(live: Live) -> None:
    live.fill(MINIMUM - 1)
    ending.close(live.services.database, "habits")
    assert shown(live) == (0, (0, 0))
    page = live.get("/s/habits/results").body.decode()
    assert "Fewer than 50 answers came in before this survey was closed" in page


def test_a_new_version_closes_the_old_one_with_a_snapshot_of_its_own(
    live: Live, draft: dict[str, Any]
) -> None:
    live.fill(60)
    publish_draft(live.services, {**draft, "title": "Again"}, new_version=True)
    assert public_results(live.services.database, "habits", 1).n == 50
    assert public_results(live.services.database, "habits").n == 0


def test_a_test_shows_everything_live_and_says_so(live: Live, draft: dict[str, Any]) -> None:
    survey = try_draft(live.services, draft).published.survey
    test = Live(live.url, live.folder, live.services, survey)
    for n in (1, 2):
        test.fill(1, smokes=1)
        assert live.get("/t/habits/estimates.json").json["n"] == n
    page = live.get("/t/habits/results").body.decode()
    assert "The results of a test are live" in page
    assert "snapshots instead, starting at 50 answers" in page


def test_a_damaged_snapshot_is_refused_and_named(folder: DataFolder, draft: dict[str, Any]) -> None:
    with run_live(folder, draft) as live:
        live.fill(MINIMUM)
        assert verify(folder.database).is_sound
    with closing(sqlite3.connect(folder.database)) as db, db:
        db.execute("UPDATE snapshots SET content = replace(content, '50', '49')")
    assert verify(folder.database).problems == [
        "habits version 1: its snapshot does not fit its checksum"
    ]
    with run_live(folder, draft) as live:
        refused = live.get("/s/habits/estimates.json")
    assert refused.status == 500
    assert "does not match its checksum; run candor verify" in refused.json["error"]["message"]


def test_a_damaged_snapshot_keeps_no_report_out(live: Live) -> None:
    live.fill(MINIMUM)
    with closing(sqlite3.connect(live.folder.database)) as db, db:
        db.execute("UPDATE snapshots SET content = '}'")
    live.fill(MINIMUM, smokes=1)
    assert shown(live) == (100, (50, 50))
    assert verify(live.folder.database).is_sound


def test_a_final_snapshot_that_is_not_the_recount_is_named(live: Live) -> None:
    live.fill(160)
    with closing(sqlite3.connect(live.folder.database)) as db:
        early = db.execute("SELECT * FROM snapshots").fetchone()
    ending.close(live.services.database, "habits")
    assert verify(live.folder.database).is_sound
    with closing(sqlite3.connect(live.folder.database)) as db:
        key, n, final, _ = db.execute("SELECT * FROM snapshots").fetchone()
    content = final.replace("[160,0]", "[0,160]", 1)
    wrong = (key, n, content, snapshot_checksum(live.survey.fingerprint, n, content))
    for statement, values, problem in (
        ("REPLACE INTO snapshots VALUES (?, ?, ?, ?)", early, "is missing"),
        ("REPLACE INTO snapshots VALUES (?, ?, ?, ?)", wrong, "is not what its reports say"),
        ("DELETE FROM snapshots", (), "is missing"),
    ):
        with closing(sqlite3.connect(live.folder.database)) as db, db:
            db.execute(statement, values)
        assert verify(live.folder.database).problems == [
            f"habits version 1: its final snapshot {problem}"
        ]
