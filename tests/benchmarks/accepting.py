"""Durable accepts per second, beside an empty view of Flask under the same waitress.

Both are asked in turns, in many short rounds, since other programs of the machine disturb long
ones; the requests carry the headers that a browser sends.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from client.core.survey import Survey
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.benchmarks.bulk import fill
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn, fresh

CONNECTIONS = 64


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
        with _serving(folder) as (url, cpu):
            found = _turns(url, cpu, folder, survey, requests, connections, rounds)
        after = verify(folder.database)
        assert after.is_sound, after.problems
        # With the warm-up, which was as long as a round.
        assert after.surveys[0]["reports"] == requests * (rounds + 1)
    return found


def _turns(
    url: str,
    cpu: Callable[[], float],
    folder: DataFolder,
    survey: Survey,
    requests: int,
    connections: int,
    rounds: int,
) -> Accepting:
    secret = folder.secret
    nothing = replace(fresh(secret, survey), path="/empty")
    durable, empty = [], []
    for _ in range(rounds + 1):
        reports = [fresh(secret, survey) for _ in range(requests)]
        empty.append(_load(url, cpu, connections, [nothing] * requests))
        durable.append(_load(url, cpu, connections, reports))
    return Accepting(connections, tuple(durable[1:]), tuple(empty[1:]))


def _load(url: str, cpu: Callable[[], float], connections: int, items: list[HandIn]) -> Load:
    heard: list[Heard] = []
    # Written out before, not while the time runs.
    assert all(item.wire for item in items)
    used, start = cpu(), time.perf_counter()
    send_all(url, items, connections, heard.append)
    seconds = time.perf_counter() - start
    assert [answer.status for answer in heard] == [201] * len(items)
    return Load(len(items) / seconds, tuple(answer.seconds for answer in heard), cpu() - used)


@contextmanager
def _serving(folder: DataFolder) -> Iterator[tuple[str, Callable[[], float]]]:
    """Start the server; yield its address, and what tells the CPU seconds it has used."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.accepting_server", str(folder.path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), lambda: _cpu_seconds(process.pid)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _cpu_seconds(pid: int) -> float:
    """Return how long a process has computed, as Linux counts it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
