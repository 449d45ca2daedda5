"""Hand-ins wait for their commit without a thread; connections get their answers in order."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from server.app import create_app
from server.data_folder import DataFolder
from server.listening import hand_ins
from server.listening.loop import Loop
from server.serving import THREADS, bind, running_services
from tests.support.hand_in import HandIn, fresh, hand_in, stored_ids
from tests.support.live import Live
from tests.support.publishing import publish_draft

PAGE = b"GET /s/habits HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connect(url: str) -> socket.socket:
    place = urlsplit(url)
    return socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=60)


def answers(connection: socket.socket, count: int) -> list[tuple[int, bytes]]:
    """Read so many answers; return the status and the head of each."""
    found = []
    with connection.makefile("rb") as stream:
        for _ in range(count):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = stream.readline()
                assert line, "the connection was closed"
                head += line
            stream.read(int(head.split(b"Content-Length: ")[1].split()[0]))
            found.append((int(head.split()[1]), head))
    return found


def report(live: Live) -> HandIn:
    return fresh(live.services.secret, live.survey)


def warm(live: Live) -> None:
    """Hand in once: the first report reads the survey, and that is a thread's work."""
    assert live.post(live.report()).status == 201


@contextmanager
def busy(live: Live) -> Iterator[threading.Event]:
    """Keep the writer from storing anything until the event is set."""
    entered, release = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        entered.set()
        assert release.wait(60)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(live.services.database.run_alone, hold)
        assert entered.wait(60)
        try:
            yield release
        finally:
            release.set()
        holding.result()


def wait_until_queued(live: Live, count: int) -> None:
    while live.services.database._writer._queue.qsize() < count:
        time.sleep(0.001)


def test_requests_sent_ahead_are_answered_in_their_order(live: Live) -> None:
    warm(live)
    first, second = report(live), report(live)
    with closing(connect(live.url)) as connection:
        # A report, a page of a thread, the same report, another, and a page again.
        connection.sendall(first.wire + PAGE + first.wire + second.wire + PAGE)
        got = answers(connection, 5)
        assert [status for status, _ in got] == [201, 200, 200, 201, 200]
        assert [b"text/html" in head for _, head in got] == [False, True, False, False, True]
        # The connection stays open, and reads on.
        connection.sendall(second.wire)
        assert answers(connection, 1)[0][0] == 200


def test_more_reports_than_threads_wait_and_pages_are_served_meanwhile(live: Live) -> None:
    warm(live)
    items = [report(live) for _ in range(THREADS + 8)]
    with ExitStack() as stack:
        connections = [stack.enter_context(closing(connect(live.url))) for _ in items]
        with busy(live) as release:
            for connection, item in zip(connections, items, strict=True):
                connection.sendall(item.wire)
            wait_until_queued(live, len(items))
            assert live.get("/s/habits").status == 200
            release.set()
            assert [answers(each, 1)[0][0] for each in connections] == [201] * len(items)


def test_a_batch_wakes_the_loop_much_less_often_than_once_per_report(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(live)
    items = [report(live) for _ in range(100)]
    pulls: list[int] = []
    pull = Loop._pull

    def count(loop: Loop) -> None:
        pulls.append(1)
        pull(loop)

    with ExitStack() as stack:
        connections = [stack.enter_context(closing(connect(live.url))) for _ in items]
        with busy(live) as release:
            for connection, item in zip(connections, items, strict=True):
                connection.sendall(item.wire)
            wait_until_queued(live, len(items))
            monkeypatch.setattr(Loop, "_pull", count)
            release.set()
            assert [answers(each, 1)[0][0] for each in connections] == [201] * len(items)
    assert 0 < len(pulls) <= len(items) / 4


def test_a_client_that_leaves_before_the_commit_disturbs_nobody(live: Live) -> None:
    warm(live)
    left, stays = report(live), report(live)
    with closing(connect(live.url)) as staying:
        with busy(live):
            with closing(connect(live.url)) as leaving:
                leaving.sendall(left.wire)
                wait_until_queued(live, 1)
            staying.sendall(stays.wire)
            wait_until_queued(live, 2)
        assert answers(staying, 1)[0][0] == 201
    assert live.get("/s/habits").status == 200
    assert {left.id, stays.id} <= set(stored_ids(live.folder))


def test_a_report_that_takes_too_long_hears_so_and_is_welcome_again(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(live)
    monkeypatch.setattr(hand_ins, "HAND_IN_SECONDS", 0.1)
    item = report(live)
    with closing(connect(live.url)) as connection:
        with busy(live):
            connection.sendall(item.wire)
            ((status, head),) = answers(connection, 1)
            assert status == 503
            assert b"Retry-After: 2\r\n" in head
        # It was stored all the same, once the writer could; the late outcome is nobody's answer.
        monkeypatch.undo()
        connection.sendall(item.wire)
        assert answers(connection, 1)[0][0] == 200
    assert stored_ids(live.folder).count(item.id) == 1


def test_a_fault_while_storing_is_answered_and_logged_by_the_usual_road(
    live: Live, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warm(live)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("server.store.ballot_box.decide", fail)
    with closing(connect(live.url)) as connection:
        connection.sendall(report(live).wire)
        assert answers(connection, 1)[0][0] == 500
    assert "surveys_devices.report failed with ZeroDivisionError" in caplog.text


def test_what_a_thread_refuses_or_reads_is_as_before(live: Live) -> None:
    warm(live)
    forged = hand_in(live.survey, live.report(), f"{'0' * 32}.{'0' * 64}")
    large = hand_in(live.survey, live.report().ljust(20_000), live.ticket())
    spent = report(live)
    with closing(connect(live.url)) as connection:
        connection.sendall(forged.wire + large.wire + spent.wire)
        other = hand_in(live.survey, live.report(), spent.headers["Candor-Ticket"])
        connection.sendall(other.wire)
        assert [status for status, _ in answers(connection, 4)] == [403, 201, 201, 409]


def test_a_server_that_stops_answers_what_is_being_stored(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with running_services(folder) as services:
        server = bind(create_app(services), "127.0.0.1", 0)
        running = threading.Thread(target=server.loop.run)
        running.start()
        live = Live(server.url, folder, services, publish_draft(services, draft).published.survey)
        warm(live)
        items = [report(live) for _ in range(20)]
        with ExitStack() as stack:
            connections = [stack.enter_context(closing(connect(live.url))) for _ in items]
            with busy(live):
                for connection, item in zip(connections, items, strict=True):
                    connection.sendall(item.wire)
                wait_until_queued(live, len(items))
                server.loop.stop()
                # So that it has seen that it should stop, before anything is stored.
                time.sleep(0.3)
            assert [answers(each, 1)[0][0] for each in connections] == [201] * len(items)
        running.join()
