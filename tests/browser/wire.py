"""A recorder on the wire: every byte that a browser sends to the server, request by request."""

import re
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

# What differs between two reports by design, and must be all that differs.
_RANDOM = (
    (re.compile(rb"(?<=candor-ticket: )[0-9a-f]{64}[0-9a-f.-]+", re.IGNORECASE), b"<ticket>"),
    (re.compile(rb'(?<="blinded":")[0-9a-f]{512}'), b"<blinded>"),
    # With the spaces after it: its length stays in the header.
    (re.compile(rb'(?<="randomized":)\{[^{}]*\}\} *$'), b"<report>"),
    (re.compile(rb'(?<="invitation":")[^"]+'), b"<invitation>"),
    # The tests' own mark on a repeated start, see `sessions`.
    (re.compile(rb"(?<=\.js\?)[0-9]+"), b"<n>"),
)


@dataclass(frozen=True)
class Sent:
    """One request as it was on the wire."""

    raw: bytes
    # On a clock that only knows differences.
    at: float

    @property
    def method(self) -> str:
        return self.raw.split(b" ", 1)[0].decode()

    @property
    def path(self) -> str:
        return self.raw.split(b" ", 2)[1].decode()

    @property
    def head(self) -> bytes:
        return self.raw.partition(b"\r\n\r\n")[0]

    @property
    def body(self) -> bytes:
        return self.raw.partition(b"\r\n\r\n")[2]

    @property
    def masked(self) -> bytes:
        """Without the ticket, its cover and the randomized answers: equal for all answers."""
        raw = self.raw
        for pattern, name in _RANDOM:
            raw = pattern.sub(name, raw)
        return raw


class Wire:
    """Forwards connections to the server and records what the browser says on them."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Lock()
        self._sent: list[Sent] = []
        # Bytes that came back from the server, in all.
        self.received = 0
        self._only: str | None = None
        self._released = threading.Event()

    def __enter__(self) -> "Wire":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.close()

    def take(self) -> list[Sent]:
        """The requests since the last call."""
        with self._lock:
            taken, self._sent = self._sent, []
        return taken

    def hold_all_but(self, path: str) -> None:
        """Until `release`, the server hears of requests for this path only."""
        self._only = path

    def release(self) -> None:
        self._released.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                threading.Thread(target=self._record, args=(browser, server), daemon=True).start()
                threading.Thread(target=self._return, args=(server, browser), daemon=True).start()

    def _record(self, browser: socket.socket, server: socket.socket) -> None:
        buffer = b""
        with suppress(OSError), server:
            while data := browser.recv(65536):
                buffer += data
                # Recorded before it is passed on: an answer to it implies that it is in the list.
                while (length := _length(buffer)) is not None:
                    self._note(Sent(buffer[:length], time.monotonic()))
                    buffer = buffer[length:]
                server.sendall(data)

    def _note(self, sent: Sent) -> None:
        with self._lock:
            self._sent.append(sent)
        if self._only not in (None, sent.path):
            self._released.wait()

    def _return(self, server: socket.socket, browser: socket.socket) -> None:
        with suppress(OSError), browser:
            while data := server.recv(65536):
                with self._lock:
                    self.received += len(data)
                browser.sendall(data)
            # The other thread waits at this socket, and closing it would only be noticed there.
            browser.shutdown(socket.SHUT_RDWR)


def _length(buffer: bytes) -> int | None:
    """The length of the first whole request in the buffer, if there is one."""
    head, separator, body = buffer.partition(b"\r\n\r\n")
    announced = re.search(rb"\r\ncontent-length: *([0-9]+)", head, re.IGNORECASE)
    size = int(announced[1]) if announced else 0
    if not separator or len(body) < size:
        return None
    return len(head) + len(separator) + size
