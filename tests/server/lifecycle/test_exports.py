"""Exports: two at once, from a copy on disk that has no name, and no thread for a slow reader."""

import os
import resource
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from client.core.primitives.refusal import Refusal
from estimators.export.archive import write_export
from server.lifecycle import export
from server.lifecycle.export import copy_ballots, export_file
from server.results.downloads import download_file
from server.serving import THREADS, bind
from server.surveys.researchers import Role
from server.web.limits import EXPORTS, MOST_EXPORTS
from tests.support.exported import export_zip
from tests.support.live import Answer, Live, send
from tests.support.researcher import hire, key_of, logged_in

ASKING = 40


def open_files(folder: Path) -> list[str]:
    """Return the files of a folder that this process has open, without database and lock."""
    targets = []
    for name in os.listdir("/proc/self/fd"):
        # It may have been closed since it was listed.
        with suppress(FileNotFoundError):
            targets.append(os.readlink(f"/proc/self/fd/{name}"))
    inside = [path for path in targets if path.startswith(f"{folder}/")]
    return [path for path in inside if ".db" not in path and not path.endswith("/lock")]


def test_of_forty_exports_at_once_at_most_two_are_written(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writing waits until all others have been sent away."""
    live.fill(60)
    hire(live, "ana", Role.OWNER)
    key = key_of(live, "ana")
    answered, all_answered = threading.Semaphore(0), threading.Event()
    at_once: list[int] = []

    def slowly(*args: Any) -> Any:
        at_once.append(len(open_files(live.folder.path)))
        assert all_answered.wait(60)
        return write_export(*args)

    monkeypatch.setattr(export, "write_export", slowly)

    def ask(_: int) -> Answer:
        answer = live.send("GET", "/api/surveys/habits/export", headers=key)
        answered.release()
        return answer

    with ThreadPoolExecutor(ASKING) as pool:
        asked = [pool.submit(ask, number) for number in range(ASKING)]
        try:
            for _ in range(ASKING - MOST_EXPORTS):
                assert answered.acquire(timeout=60)
            assert live.post(live.report()).status == 201
        finally:
            all_answered.set()
        answers = [each.result() for each in asked]
    assert len(at_once) == MOST_EXPORTS
    busy = [answer for answer in answers if answer.status == 503]
    assert len(busy) == ASKING - MOST_EXPORTS
    assert {(answer.code, answer.headers["Retry-After"]) for answer in busy} == {
        ("export_busy", "2")
    }
    bodies = {answer.body for answer in answers if answer.status == 200}
    assert len(bodies) == 1


def test_the_workbench_has_the_same_limit_and_says_so(live: Live) -> None:
    hire(live, "ana", Role.OWNER)
    ana, path = logged_in(live, "ana"), "/workbench/surveys/habits/export/1"
    with ExitStack() as crowd:
        for _ in range(MOST_EXPORTS):
            crowd.enter_context(EXPORTS)
        busy = ana.get(path)
    assert (busy.status, busy.headers["Retry-After"]) == (503, "2")
    assert b"Too many exports are being written; try again in a moment" in busy.body
    found = ana.get(path)
    assert found.status == 200
    assert found.body == export_zip(live.services.database, "habits")[1]
    assert found.headers["Content-Length"] == str(len(found.body))


def test_head_says_what_an_export_is_and_writes_nothing(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does it wait for those that are being written, and its connection gets no stray bytes."""
    live.fill(60)
    hire(live, "ana", Role.OWNER)
    key, ana = key_of(live, "ana"), logged_in(live, "ana")
    by_key = live.send("GET", "/api/surveys/habits/export", headers=key)

    def never(*_: Any) -> Any:
        raise AssertionError("HEAD writes a zip")

    monkeypatch.setattr(export, "write_export", never)
    with ExitStack() as crowd:
        for _ in range(MOST_EXPORTS):
            crowd.enter_context(EXPORTS)
        heads = [
            live.send("HEAD", "/api/surveys/habits/export", headers=key),
            ana.head("/workbench/surveys/habits/export/1"),
        ]
        missing = live.send("HEAD", "/api/surveys/habits/export?version=2", headers=key)
    for head in heads:
        assert (head.status, head.body) == (200, b"")
        assert "Content-Length" not in head.headers
        for name in ("Content-Type", "Content-Disposition", "Cache-Control"):
            assert head.headers[name] == by_key.headers[name]
    assert missing.status == 404
    line = f"HEAD /api/surveys/habits/export HTTP/1.1\r\nAuthorization: {key['Authorization']}"
    answer = everything(live.url, f"{line}\r\n\r\n".encode())
    assert answer.index(b"\r\n\r\n") == len(answer) - 4


def everything(url: str, request: bytes) -> bytes:
    """Return all bytes that come until the server ends the connection."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as own:
        own.sendall(request)
        return b"".join(iter(lambda: own.recv(2**16), b""))


def test_while_an_export_is_written_nobody_reads_the_database(live: Live) -> None:
    """The log can be emptied, which a reader would prevent, and later reports are not in it."""
    live.fill(7, smokes=1)
    database = live.services.database
    with copy_ballots(database.reader, "habits", None, database.folder) as ballots:
        live.fill(1)
        database.run_alone(lambda db: db.empty_log())
        reports = list(ballots.reports)
    assert reports == [("", '{"drinks":0,"smokes":1}')] * 7
    assert ballots.n == 7


def test_nothing_has_a_name_and_nothing_stays(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    live.fill(7)
    before = sorted(path.name for path in live.folder.path.iterdir())
    _, file = export_file(live.services.database, "habits")
    assert sorted(path.name for path in live.folder.path.iterdir()) == before
    assert len(open_files(live.folder.path)) == 1
    assert os.fstat(file.fileno()).st_mode & 0o777 == 0o600
    file.close()
    assert open_files(live.folder.path) == []
    monkeypatch.setattr(export, "write_export", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        export_file(live.services.database, "habits")
    assert open_files(live.folder.path) == []


def test_a_full_disk_is_a_refusal_and_leaves_nothing(live: Live) -> None:
    live.fill(7)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # No file may grow: writing fails as it does on a full disk.
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(Refusal, match="the disk accepts no new data"):
            export_file(live.services.database, "habits")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert open_files(live.folder.path) == []


@pytest.fixture
def large(tmp_path: Path) -> Iterator[str]:
    """A server whose only page is a file too large for any buffer; yields its address."""
    app = Flask("large")
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(2**26)

    @app.get("/large")
    def view() -> Any:
        return download_file(path.open("rb"), "application/zip", "large.zip")

    @app.get("/small")
    def small() -> str:
        return "here"

    server = bind(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.loop.run)
    thread.start()
    yield server.url
    server.loop.stop()
    thread.join()


def test_readers_who_do_not_read_hold_no_thread_and_no_file_when_they_leave(
    large: str, tmp_path: Path
) -> None:
    host, port = large.removeprefix("http://").split(":")
    with ExitStack() as asking:
        for _ in range(THREADS + 4):
            sock = asking.enter_context(socket.create_connection((host, int(port)), timeout=60))
            sock.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            assert sock.recv(15) == b"HTTP/1.1 200 OK"
        assert send(large, "GET", "/small").body == b"here"
        assert len(open_files(tmp_path)) == THREADS + 4
    for _ in range(600):
        if not open_files(tmp_path):
            break
        threading.Event().wait(0.05)
    assert open_files(tmp_path) == []
