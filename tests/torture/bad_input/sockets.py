"""A device that speaks to a real socket: requests as they should be, and any other bytes."""

import re
import socket
from urllib.parse import urlsplit

# A server that waits for more of an honest request closes the connection before that.
PATIENCE_SECONDS = 60
# Only whoever sends an incomplete request hears nothing for so long.
SILENCE_SECONDS = 0.3
_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3}) ")
_LENGTH = re.compile(rb"\r\nContent-Length: ([0-9]+)\r\n", re.IGNORECASE)


class Device:
    """Sends to one server, over a connection that stays open as long as the server keeps it."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._place = (str(place.hostname), int(place.port or 80))
        self._open: socket.socket | None = None

    def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a complete request; return the status and the body of the answer."""
        if self._open is None:
            self._open = socket.create_connection(self._place, PATIENCE_SECONDS)
        self._open.sendall(request)
        heard = _read(self._open)
        head, _, body = heard.partition(b"\r\n\r\n")
        if b"\r\nConnection: close" in head:
            self.close()
        return statuses(head)[0], body

    def send(self, data: bytes) -> bytes:
        """Send any bytes over a connection of their own; return what was heard."""
        with socket.create_connection(self._place, SILENCE_SECONDS) as own:
            try:
                own.sendall(data)
                return _read(own)
            except (TimeoutError, ConnectionError):
                return b""

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None


def statuses(heard: bytes) -> list[int]:
    """Return the statuses of all answers in these bytes."""
    return [int(status) for status in _STATUS.findall(heard)]


def _read(own: socket.socket) -> bytes:
    """Read one answer to its end, or until the server closes the connection."""
    heard = b""
    while not _is_complete(heard):
        piece = own.recv(2**16)
        if not piece:
            break
        heard += piece
    return heard


def _is_complete(heard: bytes) -> bool:
    head, end, body = heard.partition(b"\r\n\r\n")
    length = _LENGTH.search(head + b"\r\n")
    return bool(end) and length is not None and len(body) >= int(length[1])
