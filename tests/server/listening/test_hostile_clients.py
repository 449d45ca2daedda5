"""Clients that reset, never read or send nonsense: nobody else notices, and no log names them."""

import logging
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from typing import Any

import pytest

from server import serving
from server.app import create_app
from server.listening.loop import Loop
from tests.server.listening.test_slow_clients import connect
from tests.support.live import Live

# The answer to the second is not awaited: by then the client is gone.
PAGE_AND_EXPECTATION = (
    b"GET /nope HTTP/1.1\r\nHost: a\r\n\r\n"
    b"PUT /api/x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
)
RESETTING = struct.pack("ii", 1, 0)
IDLE_SECONDS = 1
LOOPS: dict[str, Loop] = {}


@pytest.fixture
def watched(live: Live, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """A second server with the same services, whose memory can be looked at."""
    monkeypatch.setattr(serving, "CLEANUP_SECONDS", 0.1)
    server = serving.bind(create_app(live.services), "127.0.0.1", 0)
    thread = threading.Thread(target=server.loop.run)
    thread.start()
    LOOPS[server.url] = server.loop
    yield replace(live, url=server.url)
    server.loop.stop()
    thread.join()
    del LOOPS[server.url]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Live:
    monkeypatch.setattr(serving, "IDLE_SECONDS", IDLE_SECONDS)
    watched: Live = request.getfixturevalue("watched")
    return watched


def test_connections_that_are_reset_while_they_are_answered_stop_nobody(live: Live) -> None:
    def reset_many() -> None:
        for number in range(500):
            with suppress(OSError), closing(connect(live)) as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESETTING)
                client.sendall(PAGE_AND_EXPECTATION)
                time.sleep(0.0005 * (number % 5))

    threads = [threading.Thread(target=reset_many) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # In a crowd a device may have to try again.
    answers = (live.post(live.report()).status for _ in range(20))
    assert next(status for status in answers if status != 503) == 201


def requests_for(live: Live, path: str, bytes_sent: int = 8000) -> bytes:
    """As many requests as fit into one packet."""
    one = f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    return one * (bytes_sent // len(one))


def without_reading(live: Live) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    address = connect(live)
    client.connect(address.getpeername())
    address.close()
    return client


def test_a_client_that_reads_no_answer_is_given_up(impatient: Live) -> None:
    path = largest_script(impatient)
    with ExitStack() as stack:
        clients = [stack.enter_context(closing(without_reading(impatient))) for _ in range(20)]
        for client in clients:
            client.sendall(requests_for(impatient, path))
        until = time.monotonic() + 60
        while unsent(impatient) and time.monotonic() < until:
            time.sleep(0.1)
        assert unsent(impatient) == 0
    # An honest one gets the time that it needs on a busy machine.
    listener_of(impatient).adj.channel_timeout = 60
    assert impatient.post(impatient.report()).status == 201


def test_answers_wait_in_memory_only_until_the_client_is_behind(watched: Live) -> None:
    live, path = watched, largest_script(watched)
    length = len(live.get(path).body)
    with closing(without_reading(live)) as client:
        client.sendall(requests_for(live, path))
        until = time.monotonic() + 60
        while not unsent(live) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        assert 0 < unsent(live) <= 2**18 + 2 * length
        # Whoever reads on gets every answer.
        wanted = requests_for(live, path).count(b"GET ")
        client.settimeout(60)
        received = b""
        while received.count(b"HTTP/1.1 200 OK") < wanted:
            more = client.recv(2**20)
            assert more
            received += more


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET http://[ HTTP/1.1",
        b"GET http://[secret.person]/s/ HTTP/1.1",
        b"PUT /api HTTP/1.1\r\nContent-Length: " + b"9" * 5000,
        b"PUT /api HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked",
    ],
)
def test_what_cannot_be_read_gets_400_and_is_not_logged(
    live: Live, request_line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with closing(connect(live)) as client:
        client.sendall(request_line + b"\r\nHost: a\r\n\r\n")
        assert client.recv(12) == b"HTTP/1.1 400"
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def largest_script(live: Live) -> str:
    page = live.get("/s/habits").body.decode()
    return page.partition('src="')[2].partition('"')[0]


def unsent(live: Live) -> int:
    """How many bytes of answers wait in the server's memory."""
    channels = list(listener_of(live).active_channels.values())
    return sum(channel.total_outbufs_len for channel in channels)


def listener_of(live: Live) -> Any:
    (listener,) = LOOPS[live.url]._listeners
    return listener
