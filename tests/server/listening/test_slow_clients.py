"""Clients that send a byte now and then for ever: nobody else has to wait for them."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

from server import serving
from server.data_folder import DataFolder
from tests.support.live import Live
from tests.support.live import live as run_live

BEGINNING = b"POST /api/surveys/habits/reports HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
LIMIT = 40


def connect(live: Live) -> socket.socket:
    parts = urlsplit(live.url)
    return socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=60)


@contextmanager
def dripping(clients: list[socket.socket]) -> Iterator[threading.Event]:
    """Send one more byte for each client, again and again, as long as it is connected."""
    over, began = threading.Event(), threading.Event()

    def drip() -> None:
        while not over.wait(0.05):
            for client in clients:
                with suppress(OSError):
                    client.send(b"a")
            began.set()

    thread = threading.Thread(target=drip)
    thread.start()
    began.wait()
    try:
        yield over
    finally:
        over.set()
        thread.join()


@pytest.fixture
def small(
    folder: DataFolder,
    draft: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[Live]:
    """A server with few connections, and so many seconds of patience."""
    monkeypatch.setattr(serving, "CONNECTIONS", LIMIT)
    monkeypatch.setattr(serving, "CLEANUP_SECONDS", 0.1)
    monkeypatch.setattr(serving, "IDLE_SECONDS", request.param)
    with run_live(folder, draft) as running:
        yield running


@pytest.mark.parametrize("small", [60], indirect=True)
def test_more_dripping_clients_than_connections_keep_nobody_out(small: Live) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(closing(connect(small))) for _ in range(2 * LIMIT)]
        for client in clients:
            with suppress(OSError):
                client.sendall(BEGINNING)
        with dripping(clients):
            assert small.post(small.report()).status == 201
            assert small.get("/s/habits").status == 200


@pytest.mark.parametrize("small", [1], indirect=True)
def test_a_request_that_never_ends_is_given_up_although_bytes_keep_coming(small: Live) -> None:
    with closing(connect(small)) as client:
        client.sendall(BEGINNING)
        with dripping([client]):
            # The server closes the connection without an answer.
            client.settimeout(60)
            with suppress(ConnectionResetError):
                assert client.recv(1) == b""
