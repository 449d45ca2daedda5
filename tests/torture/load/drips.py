"""Clients that send a byte of a request now and then, and come again when they are thrown out."""

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

from tests.torture.load.beside import Signals, allow_connections

BEGINNING = b"POST /slow HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
# Between two bytes of one client.
PAUSE_SECONDS = 2.0
# The clients take turns in so many parts of a pause.
PARTS = 20


def drip(signals: Signals, url: str, count: int) -> int:
    """Keep so many slow clients connected until it is over; return how often one came again."""
    allow_connections(count)
    place = urlsplit(url)
    address = str(place.hostname), int(place.port or 0)
    clients = [_connect(address) for _ in range(count)]
    signals.ready.set()
    again = 0
    for part in _parts(signals):
        for at in range(part, count, PARTS):
            client = clients[at]
            if client is None or not _is_sent(client):
                _close(client)
                clients[at] = _connect(address)
                again += 1
    for client in clients:
        _close(client)
    return again


def _close(client: socket.socket | None) -> None:
    if client is not None:
        client.close()


def _parts(signals: Signals) -> Iterator[int]:
    """Yield whose turn it is, until it is over."""
    number = 0
    while not signals.over.wait(PAUSE_SECONDS / PARTS):
        yield number % PARTS
        number += 1


def _connect(address: tuple[str, int]) -> socket.socket | None:
    """Return a new client that has sent the beginning of a request; None if it is kept waiting."""
    client = socket.socket()
    # Without a place in the server's queue it tries again at its next turn.
    client.settimeout(0.5)
    try:
        client.connect(address)
        client.setblocking(False)
        client.send(BEGINNING)
    except OSError:
        client.close()
        return None
    return client


def _is_sent(client: socket.socket) -> bool:
    """Send one more byte; False if the server has closed the connection."""
    try:
        client.send(b"a")
        return client.recv(1) != b""
    except BlockingIOError:
        # Nothing to read: the server waits for the rest of the request.
        return True
    except OSError:
        return False
