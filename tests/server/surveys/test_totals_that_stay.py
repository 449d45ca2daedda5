"""What stays when the reports are deleted: the questions, the number, the digest, large totals."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import live_results
from server.store import reading
from server.store.verify import verify
from server.surveys.disclosure import MINIMUM
from server.surveys.states import State
from tests.support.clock import FakeClock, at
from tests.support.groups import with_groups
from tests.support.live import Live

Draft = dict[str, Any]
THE_DAY = "2026-12-24T00:00:00Z"


@pytest.fixture
def draft(draft: Draft) -> Draft:
    return {**draft, "delete_on": THE_DAY[:10]}


@pytest.fixture
def due(clock: FakeClock, folder: DataFolder, draft: Draft) -> Iterator[Live]:
    """A survey whose deletion date comes when a test moves the clock to it."""
    with at(clock, folder, draft) as live:
        yield live


def test_what_stays_is_the_document_the_number_the_digest_and_the_totals(
    clock: FakeClock, due: Live
) -> None:
    due.fill(60)
    closing = ending.close(due.services.database, "habits")
    before = live_results(due.services.database, "habits").tallies
    clock.now = THE_DAY
    ending.finish_due(due.services.database)
    after = live_results(due.services.database, "habits").tallies
    published = reading.newest(due.services.database.reader, "habits")
    assert after == before
    assert (published.reports, published.digest) == (60, closing.digest)
    assert published.state is State.PURGED
    assert due.get("/s/habits/document.json").body == due.survey.document
    answer = due.get("/s/habits")
    assert answer.status == 410
    assert b"answers to this survey are deleted" in answer.body
    assert b'href="/s/habits/results"' in answer.body


def test_totals_of_less_than_a_crowd_go_with_the_reports(clock: FakeClock, due: Live) -> None:
    due.fill(MINIMUM - 1)
    clock.now = THE_DAY
    ending.finish_due(due.services.database)
    tallies = live_results(due.services.database, "habits").tallies
    published = reading.newest(due.services.database.reader, "habits")
    assert published.reports == MINIMUM - 1
    assert {count for tally in tallies.values() for count in tally.counts} == {0}
    assert verify(due.folder.database).problems == []


def test_totals_of_a_question_that_few_were_asked_go_too(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, {**draft, "ask_each_person": "1"}) as live:
        live.fill(39, smokes=None, drinks=1)
        live.fill(61, smokes=1, drinks=None)
        clock.now = THE_DAY
        ending.finish_due(live.services.database)
        tallies = live_results(live.services.database, "habits").tallies
        assert {id: tally.counts for id, tally in tallies.items()} == {
            "smokes": (0, 61),
            "drinks": (0, 0),
        }
        (row,) = live.services.database.reader.execute("SELECT content FROM snapshots")
        assert json.loads(row[0])["totals"] == {"smokes": [0, 61]}
        assert "61 people were asked" in live.get("/s/habits/results").body.decode()
        assert verify(folder.database).problems == []


def test_groups_are_merged_where_few_of_one_were_asked_a_question(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, {**with_groups(draft), "ask_each_person": "1"}) as live:
        database = live.services.database
        for group, smokers, drinkers in (("arm-a", 60, 40), ("arm-b", 60, 60)):
            live.fill(smokers, group, smokes=1, drinks=None)
            live.fill(drinkers, group, smokes=None, drinks=1)
        clock.now = THE_DAY
        ending.finish_due(database)
        assert live_results(database, "habits").sizes_by_label == {"": 100, "arm-b": 120}
        tallies = live_results(database, "habits").tallies
        # Forty people would stand out beside arm-b.
        assert (tallies["smokes"].n, tallies["drinks"].n) == (120, 60)
        assert verify(folder.database).problems == []


def test_small_groups_cost_no_large_one_when_the_reports_are_deleted(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, with_groups(draft)) as live:
        for group in [*["arm-a"] * 50, "arm-b"]:
            live.post(live.report(smokes=1), live.ticket(group))
        clock.now = THE_DAY
        ending.finish_due(live.services.database)
        assert [
            (item.name, item.reports)
            for item in reading.groups_of(live.services.database.reader, "habits")
        ] == [("", 0), ("0", 50)]
        assert live_results(live.services.database, "habits").tallies["smokes"].counts == (0, 50)
        assert reading.newest(live.services.database.reader, "habits").reports == 51
        assert verify(folder.database).problems == []
