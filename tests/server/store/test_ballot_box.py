"""Reports stored in sets are stored as if they came one by one, and for the price of one batch.

CANDOR_TORTURE=1 tries more and longer histories.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.survey import Survey
from server.store import ballot_box, closing, deleting, groups, publishing, reading
from server.store.database import Connection, open_writer
from server.store.verify import verify
from server.store.writer import Entry, Job, commit_together
from server.surveys.ballots.ballot import Ballot
from server.surveys.publication import Edition
from server.surveys.schedule import Schedule
from server.surveys.strays import GroupChoice
from tests.support import one_by_one
from tests.support.clock import FakeClock
from tests.support.groups import with_groups

TORTURE = bool(os.environ.get("CANDOR_TORTURE"))
TABLES = ("surveys", "reports", "tickets", "tallies", "groups", "snapshots", "audit_log")
DRAFT: dict[str, Any] = {
    "title": "Habits",
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [
        {"id": "smokes", "prompt": "Do you smoke?"},
        {"id": "drinks", "prompt": "Do you drink alone?"},
    ],
}
SLUGS = ("plain", "full", "invited", "choice")
DAYS = [f"2026-11-{day}T12:00:00Z" for day in range(20, 24)]
# Few, so that random ballots meet: repeats, conflicts, duplicates and used tickets are common.
IDS = [f"{n:032x}" for n in range(10)]
TICKETS = [hashlib.sha256(b"%d" % n).digest() for n in range(16)]
INVITED = TICKETS[:12]
ACTOR = "operator"
LOG_KEY = bytes(32)


@cache
def survey(slug: str, version: int = 1) -> Survey:
    changes: dict[str, dict[str, Any]] = {
        "invited": {"drawn_by": "device"},
        "choice": {"groups": with_groups({}, by="choice")["groups"]},
    }
    draft = {**DRAFT, "slug": slug, **changes.get(slug, {})}
    return replace(build_survey(draft), version=version)


def ballot(
    slug: str, version: int, id: str, ticket: bytes, smokes: int = 0, group: int = 0
) -> Ballot:
    of = survey(slug, version)
    code = of.groups.codes[group] if of.groups else ""
    report = Report(of.fingerprint, {"smokes": smokes, "drinks": 1}, code)
    return Ballot(of, id, report, ticket, code)


def crowd(slug: str, first: int, count: int) -> list[Ballot]:
    """New ballots, each with an id and a ticket of its own."""
    return [
        ballot(slug, 1, f"{n:032x}", hashlib.sha256(b"%d" % n).digest(), int(n % 3 == 0), n % 2)
        for n in range(first, first + count)
    ]


def publish(db: Connection, slug: str, version: int = 1) -> Any:
    """Publish a version, unless its turn is over; some have their links at once."""
    days = Schedule(closes_at=5) if slug == "full" else Schedule()
    done = publishing.publish(db, Edition(survey(slug, version), ""), True, days, ACTOR)
    if done is not None and done.created and slug == "invited":
        groups.invite(db, done.published, "", INVITED)
    return done


# What else happens to surveys, in the same transactions.
EVENTS: dict[str, Callable[[Connection, str], Any]] = {
    "close": lambda db, slug: closing.close(db, slug, ACTOR, GroupChoice.KEEP),
    "drop groups": lambda db, slug: closing.close(db, slug, ACTOR, GroupChoice.DROP),
    "begin closing": lambda db, slug: closing.begin_closing(
        db, slug, DAYS[2], ACTOR, GroupChoice.DROP
    ),
    "archive": lambda db, slug: closing.archive(db, slug, ACTOR),
    "trash": lambda db, slug: deleting.trash(db, slug, ACTOR),
    "restore": lambda db, slug: deleting.restore(db, slug, ACTOR),
    "wipe": publishing.wipe,
    "publish": publish,
    "replace": lambda db, slug: publish(db, slug, 2),
}
BALLOTS = st.builds(
    ballot,
    slug=st.sampled_from(SLUGS),
    version=st.sampled_from([1, 1, 1, 2]),
    id=st.sampled_from(IDS),
    ticket=st.sampled_from(TICKETS),
    smokes=st.sampled_from([0, 0, 1]),
    group=st.sampled_from([0, 0, 1]),
)
Event = tuple[str, str]
HAPPENINGS = st.tuples(st.sampled_from(sorted(EVENTS)), st.sampled_from(SLUGS))


def opened(path: Path, clock: FakeClock) -> Connection:
    db = open_writer(path, clock, LOG_KEY)
    # These tests are about what is stored; that it survives is tested elsewhere.
    db.execute("PRAGMA synchronous = OFF")
    return db


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which all the surveys are open."""
    path = tmp_path_factory.mktemp("published") / "candor.db"
    db = opened(path, FakeClock(DAYS[0]))
    for slug in SLUGS:
        heard(db, [happen(("publish", slug))])
    db.close()
    return path


def heard(db: Connection, jobs: Sequence[Job | Entry]) -> list[Any]:
    """Commit jobs together; return what those hear who wait for them."""
    commit_together(db, jobs)
    return [_heard(job) for job in jobs]


def _heard(job: Job | Entry) -> Any:
    error = job.done.exception()
    if isinstance(error, Refusal):
        return error.key, error.path, error.values
    assert error is None, error
    return job.done.result()


def rows(db: Connection) -> dict[str, list[Any]]:
    return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}


class Histories(RuleBasedStateMachine):
    """The same history twice: reports in sets here, one by one there."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.clock = FakeClock(DAYS[0])
        self.sets, self.model = (self._copy(name) for name in ("sets.db", "model.db"))
        self.sent = 1000

    def _copy(self, name: str) -> Connection:
        return opened(Path(shutil.copy(self.template, self.folder / name)), self.clock)

    @rule(batch=st.lists(st.one_of(BALLOTS, BALLOTS, BALLOTS, HAPPENINGS), min_size=1, max_size=16))
    def commit(self, batch: list[Ballot | Event]) -> None:
        """Ballots and other work, in one transaction."""
        self._commit(batch)

    @rule(
        slug=st.sampled_from(SLUGS),
        count=st.integers(20, 70),
        others=st.lists(st.tuples(st.integers(0, 70), BALLOTS), max_size=6),
    )
    def come_in_crowds(self, slug: str, count: int, others: list[tuple[int, Ballot]]) -> None:
        """Many new ballots, so that milestones lie in the middle of a batch."""
        batch: list[Ballot | Event] = [*crowd(slug, self.sent, count)]
        self.sent += count
        for place, other in others:
            batch.insert(place, other)
        self._commit(batch)

    @rule(day=st.sampled_from(DAYS))
    def look_at_the_clock(self, day: str) -> None:
        self.clock.now = day

    def _commit(self, batch: list[Ballot | Event]) -> None:
        jobs = [in_set(item) if isinstance(item, Ballot) else happen(item) for item in batch]
        singly = [alone(item) if isinstance(item, Ballot) else happen(item) for item in batch]
        assert heard(self.sets, jobs) == heard(self.model, singly)
        assert rows(self.sets) == rows(self.model)

    def teardown(self) -> None:
        self.sets.close()
        self.model.close()
        assert verify(self.folder / "sets.db", log_key=LOG_KEY).problems == []
        shutil.rmtree(self.folder)


def in_set(item: Ballot) -> Entry:
    return Entry(ballot_box.put_all, item)


def alone(item: Ballot) -> Job:
    return Job(lambda db: one_by_one.put(db, item), alone=False)


def happen(event: Event) -> Job:
    name, slug = event
    return Job(lambda db: EVENTS[name](db, slug), alone=False)


def test_random_histories_have_the_same_answers_and_rows_as_one_report_at_a_time(
    published: Path,
) -> None:
    Histories.template = published
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=1000 if TORTURE else 25, stateful_step_count=100 if TORTURE else 12
        ),
    )


@pytest.fixture
def box(published: Path, tmp_path: Path) -> Iterator[Connection]:
    db = opened(Path(shutil.copy(published, tmp_path / "candor.db")), FakeClock(DAYS[0]))
    yield db
    db.close()


def statements(db: Connection, batch: list[Ballot]) -> list[str]:
    """Commit a batch of new reports; return the statements that this took."""
    seen: list[str] = []
    db.conn.set_trace_callback(seen.append)
    assert heard(db, [in_set(item) for item in batch]) == [True] * len(batch)
    db.conn.set_trace_callback(None)
    return seen


def test_a_batch_takes_as_many_statements_with_one_report_as_with_many(box: Connection) -> None:
    # The first fifty first: a milestone in the middle of a batch would take a few more.
    statements(box, crowd("plain", 1000, 50))
    one, many = statements(box, crowd("plain", 2000, 1)), statements(box, crowd("plain", 3000, 48))
    assert len(one) == len(many) == 12
    assert sum(statement.startswith("SELECT") for statement in many) == 3


def test_invitations_take_as_many_statements_too(box: Connection) -> None:
    batch = [ballot("invited", 1, id, ticket) for id, ticket in zip(IDS, INVITED, strict=False)]
    one, many = statements(box, batch[:1]), statements(box, batch[1:])
    assert len(one) == len(many) == 12


def test_a_batch_looks_only_at_its_own_rows_however_many_there_are(box: Connection) -> None:
    """Counted in SQLite's instructions, of a survey by invitation and of an open one."""
    some = [ballot("invited", 1, IDS[0], INVITED[0]), *crowd("plain", 5000, 1)]
    more = [ballot("invited", 1, IDS[1], INVITED[1]), *crowd("plain", 6000, 1)]
    few = instructions(box, some)
    heard(box, [in_set(item) for item in crowd("plain", 1000, 40)])
    box.conn.executemany(
        "INSERT INTO tickets (survey, hash, used) SELECT id, ?, 0 FROM surveys WHERE slug = ?",
        [
            (hashlib.sha256(b"%s%d" % (slug.encode(), n)).digest(), slug)
            for n in range(3000)
            for slug in ("invited", "plain")
        ],
    )
    assert instructions(box, more) == few


def instructions(db: Connection, batch: list[Ballot]) -> int:
    count = 0

    def step() -> None:
        nonlocal count
        count += 1

    db.conn.set_progress_handler(step, 1)
    assert heard(db, [in_set(item) for item in batch]) == [True] * len(batch)
    db.conn.set_progress_handler(None, 0)
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
    box.conn.create_function("seen", 1, lambda id: seen.append(id))
    box.execute("CREATE TEMP TRIGGER look AFTER INSERT ON reports BEGIN SELECT seen(NEW.id); END")
    batch = crowd("plain", 1000, 20)
    heard(box, [in_set(item) for item in reversed(batch)])
    assert seen == sorted(item.id for item in batch)


def test_a_survey_wiped_and_published_again_takes_ballots_under_its_new_key(
    box: Connection,
) -> None:
    """The key of the wiped one may by now be another survey's."""
    item = ballot("plain", 1, IDS[0], TICKETS[0])
    events = [("wipe", "plain"), ("wipe", "full"), ("publish", "full"), ("publish", "plain")]
    heard(box, [happen(event) for event in events])
    assert heard(box, [in_set(item), in_set(item)]) == [True, False]
    counted = {slug: reading.newest(box, slug).reports for slug in ("plain", "full")}
    assert counted == {"plain": 1, "full": 0}
