"""Reports in sets cost as much as one batch, and a disk that fills up stores nothing of it.

That they are stored as if they came one by one: `tests/torture/durability/histories.py`.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store import reading
from server.store.database import Connection
from server.surveys.ballots.ballot import Ballot
from tests.support.ballots import (
    DAYS,
    IDS,
    ballot,
    crowd,
    gift,
    happen,
    heard,
    in_set,
    opened,
    publish_all,
    rows,
)
from tests.support.clock import FakeClock
from tests.support.engines import sqlite


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which all the surveys are open."""
    path = tmp_path_factory.mktemp("published") / "candor.db"
    publish_all(path)
    return path


@pytest.fixture
def box(published: Path, tmp_path: Path) -> Iterator[Connection]:
    db = opened(Path(shutil.copy(published, tmp_path / "candor.db")), FakeClock(DAYS[0]))
    yield db
    db.close()


def statements(db: Connection, batch: list[Ballot]) -> list[str]:
    """Commit a batch of new reports; return the statements that this took."""
    seen: list[str] = []
    sqlite(db).set_trace_callback(seen.append)
    assert heard(db, [in_set(item) for item in batch]) == [True] * len(batch)
    sqlite(db).set_trace_callback(None)
    return seen


def test_a_batch_takes_as_many_statements_with_one_report_as_with_many(box: Connection) -> None:
    # The first fifty first: a milestone in the middle of a batch would take a few more.
    statements(box, crowd("plain", 1000, 50))
    one, many = statements(box, crowd("plain", 2000, 1)), statements(box, crowd("plain", 3000, 48))
    assert len(one) == len(many) == 11
    assert sum(statement.startswith("SELECT") for statement in many) == 3


def test_invited_surveys_take_as_many_statements_too(box: Connection) -> None:
    batch = [ballot("invited", 1, id) for id in IDS]
    one, many = statements(box, batch[:1]), statements(box, batch[1:])
    assert len(one) == len(many) == 11


def test_no_transaction_writes_to_links_and_to_reports(box: Connection) -> None:
    """Whatever comes together; the lists of rows are those of each transaction, by its commit."""
    invited = reading.newest(box, "invited").key
    tables: list[set[str]] = [set()]

    def see(statement: str) -> None:
        if statement == "COMMIT":
            tables.append(set())
        found = re.match(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)", statement)
        if found:
            tables[-1].add(found[1])

    batch = [
        item
        for n, report in enumerate(crowd("invited", 1000, 10))
        for item in (report, gift(invited, len(IDS) + n))
    ]
    sqlite(box).set_trace_callback(see)
    assert heard(box, [in_set(item) for item in batch]) == [True] * 20
    sqlite(box).set_trace_callback(None)
    assert {"invitations", "groups"} in tables
    assert {"reports", "groups", "tallies", "surveys"} in tables
    assert not [each for each in tables if {"reports", "invitations"} <= each]


def test_a_batch_looks_only_at_its_own_rows_however_many_there_are(box: Connection) -> None:
    """Counted in SQLite's instructions, of a survey by invitation and of an open one."""
    some = [ballot("invited", 1, IDS[0]), *crowd("plain", 5000, 1)]
    more = [ballot("invited", 1, IDS[1]), *crowd("plain", 6000, 1)]
    few = instructions(box, some)
    heard(box, [in_set(item) for item in crowd("plain", 1000, 40)])
    sqlite(box).executemany(
        "INSERT INTO spent (survey, hash) SELECT id, ? FROM surveys WHERE slug = ?",
        [(f"{n:032x}", slug) for n in range(10_000, 13_000) for slug in ("invited", "plain")],
    )
    assert instructions(box, more) == few


def instructions(db: Connection, batch: list[Ballot]) -> int:
    count = 0

    def step() -> None:
        nonlocal count
        count += 1

    sqlite(db).set_progress_handler(step, 1)
    assert heard(db, [in_set(item) for item in batch]) == [True] * len(batch)
    sqlite(db).set_progress_handler(None, 0)
    return count


def test_a_disk_that_fills_up_in_a_set_stores_nothing_of_it_and_all_hear_so(
    box: Connection,
) -> None:
    before = rows(box)
    (pages,) = box.execute("PRAGMA page_count").fetchone()
    box.execute(f"PRAGMA max_page_count = {pages}")
    batch = [in_set(item) for item in crowd("plain", 1000, 200)]
    assert heard(box, batch) == [("storage_unavailable.disk", (), {})] * 200
    assert rows(box) == before
    box.execute("PRAGMA max_page_count = 1000000")
    assert heard(box, [in_set(item) for item in crowd("plain", 1000, 200)]) == [True] * 200


def test_rows_are_written_in_the_order_of_their_keys_not_of_arrival(box: Connection) -> None:
    seen: list[str] = []
    sqlite(box).create_function("seen", 1, lambda id: seen.append(id))
    box.execute("CREATE TEMP TRIGGER look AFTER INSERT ON reports BEGIN SELECT seen(NEW.id); END")
    batch = crowd("plain", 1000, 20)
    heard(box, [in_set(item) for item in reversed(batch)])
    assert seen == sorted(item.id for item in batch)


def test_a_survey_wiped_and_published_again_takes_ballots_under_its_new_key(
    box: Connection,
) -> None:
    """The key of the wiped one may by now be another survey's."""
    item = ballot("plain", 1, IDS[0])
    events = [("wipe", "plain"), ("wipe", "full"), ("publish", "full"), ("publish", "plain")]
    heard(box, [happen(event) for event in events])
    assert heard(box, [in_set(item), in_set(item)]) == [True, False]
    counted = {slug: reading.newest(box, slug).reports for slug in ("plain", "full")}
    assert counted == {"plain": 1, "full": 0}
