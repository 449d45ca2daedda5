"""Durable accepts per second, relative to the same server's empty endpoint: goal at least 0.60."""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from client.core.primitives.words import secure_hex
from client.core.report import Report
from client.core.survey import Survey
from server.data_folder import DataFolder
from server.store.verify import verify
from server.surveys import tickets
from tests.benchmarks.bulk import fill

CONNECTIONS = 64


@dataclass(frozen=True)
class Accepting:
    """Requests per second, and how long the durable ones waited, in seconds."""

    durable: float
    empty: float
    waits: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return self.durable / self.empty

    def wait(self, share: float) -> float:
        """Return the wait that this share of the accepts stays within."""
        return sorted(self.waits)[min(int(share * len(self.waits)), len(self.waits) - 1)]


def measure(requests: int, connections: int = CONNECTIONS) -> Accepting:
    """Send as many reports as empty requests, in turns, over the same number of connections."""
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name))
        survey = fill(folder, 0)
        with _serving(folder) as port:
            _load(port, connections, [_empty(survey) for _ in range(requests // 10)])
            empty = _load(port, connections, [_empty(survey) for _ in range(requests)])
            durable = _load(port, connections, _reports(folder, survey, requests))
        found = verify(folder.database)
        assert found.is_sound, found.problems
        assert found.surveys[0]["reports"] == requests
    return Accepting(requests / durable[0], requests / empty[0], tuple(durable[1]))


def _empty(survey: Survey) -> bytes:
    return _put("/empty", _body(survey), "none")


def _reports(folder: DataFolder, survey: Survey, count: int) -> list[bytes]:
    secret = folder.secret
    return [
        _put(
            f"/api/surveys/{survey.slug}/reports/{secure_hex(4)}",
            _body(survey),
            tickets.issue(secret, survey.fingerprint),
        )
        for _ in range(count)
    ]


def _body(survey: Survey) -> bytes:
    return Report(survey.fingerprint, {question.id: 1 for question in survey.questions}).body


def _put(path: str, body: bytes, ticket: str) -> bytes:
    head = (
        f"PUT {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCandor-Ticket: {ticket}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _load(port: int, connections: int, requests: list[bytes]) -> tuple[float, list[float]]:
    """Return the seconds in all, and the wait of each request."""
    waits: list[float] = []

    async def device(waiting: Iterator[bytes]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in waiting:
            start = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 201"), head
            length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            waits.append(time.perf_counter() - start)
        writer.close()

    async def crowd() -> None:
        waiting = iter(requests)
        await asyncio.gather(*(device(waiting) for _ in range(connections)))

    start = time.perf_counter()
    # In its own thread: the caller may already have an event loop, as a browser's driver does.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(crowd())).result()
    return time.perf_counter() - start, waits


@contextmanager
def _serving(folder: DataFolder) -> Iterator[int]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.accepting_server", str(folder.path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        port = urlsplit(process.stdout.readline().strip()).port
        assert port is not None
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=60)
