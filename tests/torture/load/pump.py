"""Requests at any rate, faster than a server can take them, over connections that stay open.

`tests/support/crowd` waits for every answer before a device sends again, so it never sends more
than the server takes. Here the next request is due when it is due.
"""

import select
import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.support.hand_in import HandIn

# Requests that fall due at once, before answers are read again.
MOST_SENT = 64
TURN_SECONDS = 0.002
# Without any answer for so long, nobody waits on.
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Reply:
    """An answer: whose it is, its status and head, and how many seconds it took."""

    item: HandIn
    status: int
    head: bytes
    seconds: float


@dataclass
class Pumped:
    """What came of a run."""

    replies: list[Reply] = field(default_factory=list)
    # From the first request to the last, and to the last answer.
    sending: float = 0.0
    seconds: float = 0.0
    sent: int = 0

    @property
    def accepted(self) -> float:
        """Reports per second that were stored."""
        return sum(reply.status == 201 for reply in self.replies) / self.seconds


class Pump:
    """So many connections to a server."""

    def __init__(self, url: str, connections: int) -> None:
        place = urlsplit(url)
        address = str(place.hostname), int(place.port or 0)
        self._poll = select.epoll()
        self._sockets = [socket.create_connection(address) for _ in range(connections)]
        self._free = deque(self._sockets)
        self._by_number = {each.fileno(): each for each in self._sockets}
        # By connection: the request that is under way, when it was sent, and what has come.
        self._under_way: dict[int, tuple[HandIn, float, bytes]] = {}
        for each in self._sockets:
            each.setblocking(False)
            self._poll.register(each, select.EPOLLIN)

    def close(self) -> None:
        for each in self._sockets:
            each.close()
        self._poll.close()

    def send(self, items: Sequence[HandIn], rate: float | None = None) -> Pumped:
        """Send all requests, at a rate or as fast as connections are free; read all answers."""
        done, start = Pumped(), time.perf_counter()
        heard = start
        while done.sent < len(items) or self._under_way:
            now = time.perf_counter()
            due = len(items) if rate is None else min(len(items), int((now - start) * rate))
            while done.sent < due and self._free:
                self._begin(items[done.sent])
                done.sent += 1
                done.sending = time.perf_counter() - start
                if done.sent % MOST_SENT == 0:
                    break
            before = len(done.replies)
            self._listen(done.replies)
            heard = now if len(done.replies) > before or not self._under_way else heard
            if now - heard > PATIENCE_SECONDS:
                break
        done.seconds = time.perf_counter() - start
        return done

    def _begin(self, item: HandIn) -> None:
        connection = self._free.popleft()
        self._under_way[connection.fileno()] = item, time.perf_counter(), b""
        connection.sendall(item.wire)

    def _listen(self, replies: list[Reply]) -> None:
        for number, _ in self._poll.poll(TURN_SECONDS):
            data = self._by_number[number].recv(2**16)
            if not data:
                raise ConnectionError("the server closed a connection")
            item, sent, before = self._under_way[number]
            data = before + data
            if _is_whole(data):
                seconds = time.perf_counter() - sent
                del self._under_way[number]
                self._free.append(self._by_number[number])
                replies.append(Reply(item, int(data[9:12]), data, seconds))
            else:
                self._under_way[number] = item, sent, data


def _is_whole(data: bytes) -> bool:
    head, end, body = data.partition(b"\r\n\r\n")
    if not end:
        return False
    return len(body) >= int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
