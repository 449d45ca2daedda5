"""Durable accepts per second, beside an empty view of Flask under the same waitress.

Both are asked in turns, in many short rounds, since other programs of the machine disturb long
ones; the requests carry the headers that a browser sends.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
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
_BROWSER = (
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36\r\n"
    "Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nAccept-Language: en-US,en;q=0.9\r\n"
    "Cache-Control: no-cache\r\nPragma: no-cache\r\nOrigin: http://127.0.0.1\r\n"
    "Sec-Fetch-Dest: empty\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\n"
)


@dataclass(frozen=True)
class Load:
    """One round: requests per second, the wait of each in seconds, the server's CPU seconds."""

    rate: float
    waits: tuple[float, ...]
    cpu: float


@dataclass(frozen=True)
class Accepting:
    """Rounds of durable accepts and of empty requests, which took turns."""

    connections: int
    durable: tuple[Load, ...]
    empty: tuple[Load, ...]

    @property
    def ratios(self) -> list[float]:
        """Durable accepts / empty requests per second, of each pair of rounds."""
        pairs = zip(self.durable, self.empty, strict=True)
        return [durable.rate / empty.rate for durable, empty in pairs]

    @property
    def cpu_ratio(self) -> float:
        """The empty request's CPU time / that of an accept: what an undisturbed run would show."""
        return sum(load.cpu for load in self.empty) / sum(load.cpu for load in self.durable)

    def wait(self, share: float) -> float:
        """Return the wait that this share of the accepts stays within; the median of the rounds."""
        return statistics.median(_within(load.waits, share) for load in self.durable)

    @property
    def longest(self) -> float:
        """The longest wait of all accepts in all rounds."""
        return max(max(load.waits) for load in self.durable)


def _within(waits: tuple[float, ...], share: float) -> float:
    return sorted(waits)[min(int(share * len(waits)), len(waits) - 1)]


def median_rate(loads: tuple[Load, ...]) -> float:
    return statistics.median(load.rate for load in loads)


def measure(requests: int, connections: int = CONNECTIONS, rounds: int = 1) -> Accepting:
    """Send as many reports as empty requests, in turns, over the same number of connections."""
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name))
        survey = fill(folder, 0)
        with _serving(folder) as (port, cpu):
            found = _turns(port, cpu, folder, survey, requests, connections, rounds)
        after = verify(folder.database)
        assert after.is_sound, after.problems
        # With the warm-up, which was as long as a round.
        assert after.surveys[0]["reports"] == requests * (rounds + 1)
    return found


def _turns(
    port: int,
    cpu: Callable[[], float],
    folder: DataFolder,
    survey: Survey,
    requests: int,
    connections: int,
    rounds: int,
) -> Accepting:
    durable, empty = [], []
    for _ in range(rounds + 1):
        empty.append(_load(port, cpu, connections, [_empty(survey) for _ in range(requests)]))
        durable.append(_load(port, cpu, connections, _reports(folder, survey, requests)))
    return Accepting(connections, tuple(durable[1:]), tuple(empty[1:]))


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
        f"PUT {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{_BROWSER}Candor-Ticket: {ticket}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _load(port: int, cpu: Callable[[], float], connections: int, requests: list[bytes]) -> Load:
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

    used, start = cpu(), time.perf_counter()
    # In its own thread: the caller may already have an event loop, as a browser's driver does.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(crowd())).result()
    seconds = time.perf_counter() - start
    return Load(len(requests) / seconds, tuple(waits), cpu() - used)


@contextmanager
def _serving(folder: DataFolder) -> Iterator[tuple[int, Callable[[], float]]]:
    """Start the server; yield its port, and what tells the CPU seconds it has used."""
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
        yield port, lambda: _cpu_seconds(process.pid)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _cpu_seconds(pid: int) -> float:
    """Return how long a process has computed, as Linux counts it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
