"""The writer: batches share a commit, nobody is answered early, and a full disk is survived."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from client.core.primitives.refusal import Refusal
from server.store.database import Connection, open_reader, open_writer
from server.store.writer import MAX_BATCH, Entry, Job, Writer, commit_all
from tests.support.engines import sqlite
from tests.support.live import Live

ROW = "INSERT INTO surveys (slug, version, fingerprint, state) VALUES (?, 1, ?, 'open')"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "candor.db"


@pytest.fixture
def db(path: Path) -> Iterator[Connection]:
    opened = open_writer(path)
    yield opened
    opened.close()


@pytest.fixture
def writer(path: Path) -> Iterator[Writer[Connection]]:
    running = Writer(lambda: open_writer(path))
    yield running
    running.close()


def insert(name: str) -> Callable[[Connection], str]:
    def work(db: Connection) -> str:
        db.execute(ROW, [name, name])
        return name

    return work


def insert_all(db: Connection, names: list[str]) -> list[str]:
    return [insert(name)(db) for name in names]


def names(path: Path) -> set[str]:
    reader = open_reader(path)
    found = {name for (name,) in reader.execute("SELECT slug FROM surveys")}
    reader.close()
    return found


def held(
    writer: Writer[Connection], pool: ThreadPoolExecutor
) -> tuple[threading.Event, "Future[None]"]:
    """Keep the writer busy until the event is set, so that jobs queue up behind."""
    entered, release = threading.Event(), threading.Event()

    def hold(db: Connection) -> None:
        entered.set()
        assert release.wait(60)

    future = pool.submit(writer.write, hold)
    assert entered.wait(60)
    return release, future


def wait_until_queued(writer: Writer[Connection], count: int) -> None:
    while writer._queue.qsize() < count:
        threading.Event().wait(0.001)


def test_an_answer_means_that_another_connection_sees_the_row(
    writer: Writer[Connection], path: Path
) -> None:
    assert writer.write(insert("a")) == "a"
    assert names(path) == {"a"}


def test_what_waits_is_committed_together_and_at_most_256_at_once(path: Path) -> None:
    commits: list[int] = []

    def opened() -> Connection:
        db = open_writer(path)
        sqlite(db).set_trace_callback(
            lambda statement: commits.append(1) if statement == "COMMIT" else None
        )
        return db

    writer = Writer(opened)
    waiting = MAX_BATCH + 44
    with ThreadPoolExecutor(waiting + 1) as pool:
        release, _ = held(writer, pool)
        jobs = [pool.submit(writer.write, insert(f"s{i}")) for i in range(waiting)]
        wait_until_queued(writer, waiting)
        commits.clear()
        release.set()
        assert {job.result() for job in jobs} == {f"s{i}" for i in range(waiting)}
    writer.close()
    # One for the holder, one for the first 256, one for the rest.
    assert len(commits) == 3
    assert len(names(path)) == waiting


def test_a_refused_job_leaves_nothing_and_its_neighbours_stay(db: Connection, path: Path) -> None:
    def refuse(db: Connection) -> None:
        db.execute(ROW, ["refused", "refused"])
        raise Refusal("not_confirmed")

    jobs = [Job(insert("a"), alone=False), Job(refuse, alone=False), Job(insert("b"), alone=False)]
    commit_all(db, jobs)
    assert jobs[0].done.result() == "a"
    with pytest.raises(Refusal, match="nothing was closed"):
        jobs[1].done.result()
    assert jobs[2].done.result() == "b"
    assert names(path) == {"a", "b"}


def test_nobody_is_answered_before_the_commit(db: Connection, path: Path) -> None:
    answered: list[bool] = []

    def refuse(db: Connection) -> None:
        raise Refusal("not_confirmed")

    jobs = [Job(insert("a"), alone=False), Job(refuse, alone=False)]

    def look(statement: str) -> None:
        if statement == "COMMIT":
            answered.extend(job.done.done() for job in jobs)

    sqlite(db).set_trace_callback(look)
    commit_all(db, jobs)
    assert answered == [False, False]
    assert all(job.done.done() for job in jobs)


def test_a_failed_commit_is_heard_by_the_whole_batch(db: Connection, path: Path) -> None:
    # A deferred constraint is checked by COMMIT itself: a real commit that really fails.
    db.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    db.execute(
        "CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)"
    )

    def orphan(db: Connection) -> None:
        db.execute("INSERT INTO child VALUES (7)")

    def refuse(db: Connection) -> None:
        raise Refusal("ticket_spent", "ticket")

    jobs = [Job(work, alone=False) for work in (insert("a"), orphan, refuse)]
    commit_all(db, jobs)
    for job in jobs:
        with pytest.raises(Refusal) as caught:
            job.done.result()
        assert caught.value.code == "storage_unavailable"
    assert names(path) == set()
    after = Job(insert("b"), alone=False)
    commit_all(db, [after])
    assert after.done.result() == "b"


def test_a_disk_that_fills_up_fails_the_batch_and_recovers(db: Connection, path: Path) -> None:
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages + 1}")
    jobs = [Job(insert(f"{i:04d}" + "x" * 3000), alone=False) for i in range(20)]
    commit_all(db, jobs)
    for job in jobs:
        with pytest.raises(Refusal, match="disk"):
            job.done.result()
    assert names(path) == set()
    db.execute("PRAGMA max_page_count = 1000000")
    after = Job(insert("b"), alone=False)
    commit_all(db, [after])
    assert names(path) == {"b"}


def test_a_full_disk_is_a_503_and_the_next_report_after_it_is_stored(live: Live) -> None:
    def limit(db: Connection, pages: int) -> None:
        db.execute(f"PRAGMA max_page_count = {pages}")

    writer = live.services.database
    writer.run_alone(lambda db: limit(db, 1))
    # The present pages have room for some reports; a limit below the size stops growth only.
    for _ in range(1000):
        answer = live.post(live.report())
        if answer.status != 201:
            break
    assert answer.status == 503
    assert answer.code == "storage_unavailable"
    assert int(answer.headers["Retry-After"]) > 0
    stored = len(live.stored()["reports"])
    writer.run_alone(lambda db: limit(db, 10**6))
    assert live.post(live.report()).status == 201
    assert len(live.stored()["reports"]) == stored + 1


def test_a_queue_that_is_full_refuses_at_once(path: Path) -> None:
    writer = Writer(lambda: open_writer(path), capacity=2)
    with ThreadPoolExecutor(3) as pool:
        release, _ = held(writer, pool)
        waiting = [pool.submit(writer.write, insert(name)) for name in "ab"]
        wait_until_queued(writer, 2)
        with pytest.raises(Refusal, match="too many") as caught:
            writer.write(insert("c"))
        assert caught.value.code == "storage_unavailable"
        release.set()
        assert [job.result() for job in waiting] == ["a", "b"]
    writer.close()
    assert names(path) == {"a", "b"}


def test_work_that_takes_too_long_is_refused_with_the_advice_to_try_again(
    writer: Writer[Connection],
) -> None:
    with ThreadPoolExecutor(1) as pool:
        release, _ = held(writer, pool)
        with pytest.raises(Refusal, match="try again") as caught:
            writer.write_in_set(insert_all, "a", timeout=0.01)
        assert caught.value.code == "storage_unavailable"
        release.set()


def test_closing_finishes_what_is_queued_and_refuses_the_rest(path: Path) -> None:
    writer = Writer(lambda: open_writer(path))
    with ThreadPoolExecutor(12) as pool:
        release, _ = held(writer, pool)
        jobs = [pool.submit(writer.write, insert(f"s{i}")) for i in range(10)]
        wait_until_queued(writer, 10)
        closing = pool.submit(writer.close)
        wait_until_queued(writer, 11)
        with pytest.raises(Refusal, match="shutting down"):
            writer.write(insert("late"))
        release.set()
        closing.result()
        assert len({job.result() for job in jobs}) == 10
    assert len(names(path)) == 10


def test_an_error_in_the_code_reaches_its_caller_and_the_writer_goes_on(
    writer: Writer[Connection],
) -> None:
    def broken(db: Connection) -> None:
        raise ZeroDivisionError

    for alone in (False, True):
        with pytest.raises(ZeroDivisionError):
            writer.write(broken, alone=alone)
    assert writer.write(insert("a")) == "a"


def test_a_database_that_cannot_be_opened_is_reported_to_the_caller(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be opened"):
        Writer(lambda: open_writer(tmp_path / "nowhere" / "candor.db"))


def test_what_shares_its_work_is_done_in_one_set_between_its_neighbours(
    db: Connection, path: Path
) -> None:
    sets: list[list[str]] = []

    def together(db: Connection, names: list[str]) -> list[str]:
        sets.append(names)
        return insert_all(db, names)

    jobs: list[Job | Entry] = [
        *(Entry(together, name) for name in "ab"),
        Job(insert("c"), alone=False),
        *(Entry(together, name) for name in "de"),
        *(Entry(insert_all, name) for name in "fg"),
    ]
    commit_all(db, jobs)
    assert [job.done.result() for job in jobs] == list("abcdefg")
    assert sets == [["a", "b"], ["d", "e"]]
    assert names(path) == set("abcdefg")


def test_a_refusal_that_a_set_returns_reaches_the_one_it_is_for(db: Connection, path: Path) -> None:
    def odd_ones(db: Connection, names: list[str]) -> list[str | Exception]:
        refused = Refusal("ticket_spent", "ticket")
        return [refused if name == "b" else insert(name)(db) for name in names]

    jobs = [Entry(odd_ones, name) for name in "abc"]
    commit_all(db, jobs)
    assert [job.done.exception() and job.item for job in jobs] == [None, "b", None]
    assert names(path) == {"a", "c"}


def test_a_fault_in_the_code_fails_one_of_a_set_and_the_others_are_stored(
    db: Connection, path: Path
) -> None:
    def fragile(db: Connection, names: list[str]) -> list[str]:
        found = insert_all(db, names)
        if "b" in names:
            raise ZeroDivisionError
        return found

    jobs = [Entry(fragile, name) for name in "abc"]
    commit_all(db, jobs)
    assert isinstance(jobs[1].done.exception(), ZeroDivisionError)
    assert [job.done.result() for job in (jobs[0], jobs[2])] == ["a", "c"]
    assert names(path) == {"a", "c"}


def test_only_a_crowd_makes_the_writer_rest(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it rests, those who come one after the other do not wait for it."""
    monkeypatch.setattr("server.store.writer.REST_SECONDS", 3600.0)
    writer = Writer(lambda: open_writer(path))
    for name in "abc":
        assert writer.write_in_set(insert_all, name, timeout=60) == name
    writer.close()
