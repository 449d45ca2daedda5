"""Try many inputs in two processes; note verdicts, the longest wait, memory, and what went wrong.

A row gives a `setup` that opens a trial. The trial draws an input from dice and then judges it.
Only the judging is timed, in seconds of this process's own work: the machine may be busy with
something else. An input that took long is judged again.
"""

import multiprocessing
import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from tests.torture.row import Progress

PROCESSES = 2
# Fewer are tried in this process.
FEW = 5000
CHUNK = 250
HANG_SECONDS = 1.0
# However busy the machine is, an input that takes so long by the clock waits for something.
PATIENCE_SECONDS = 20
# A process that says nothing for so long is stuck.
SILENCE_SECONDS = 600
MOST_FINDINGS = 20


class Trial(Protocol):
    """Draws inputs and judges them."""

    def draw(self, dice: random.Random) -> Any: ...

    def judge(self, given: Any) -> str:
        """Return the verdict in one word; raise if it is wrong."""
        ...


Setup = Callable[[], AbstractContextManager[Trial]]


@dataclass
class Tally:
    """What came of a number of attempts."""

    count: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    # The longest judging, and by how much the memory has grown.
    slowest: float = 0.0
    megabytes: int = 0

    def add(self, other: "Tally") -> None:
        self.count += other.count
        self.verdicts += other.verdicts
        self.findings = [*self.findings, *other.findings][:MOST_FINDINGS]
        self.slowest = max(self.slowest, other.slowest)
        self.megabytes = max(self.megabytes, other.megabytes)


def attempt(setup: Setup, amount: int, seed: int, progress: Progress) -> Tally:
    """Try `amount` inputs; the same seed gives the same inputs."""
    chunks = [(f"{seed}/{first}", min(CHUNK, amount - first)) for first in range(0, amount, CHUNK)]
    whole = Tally()
    shares = _in_this_process(setup, chunks) if amount <= FEW else _in_processes(setup, chunks)
    for part in shares:
        whole.add(part)
        progress.advance(part.count)
    for finding in whole.findings:
        print(finding, file=sys.stderr, flush=True)
    return whole


def _in_this_process(setup: Setup, chunks: Sequence[tuple[str, int]]) -> Iterator[Tally]:
    before = _peak()
    try:
        with setup() as trial:
            for seed, count in chunks:
                part = _try(trial, random.Random(seed), count)
                part.megabytes = _peak() - before
                yield part
    except AssertionError:
        # What only shows at the end, such as rows that differ.
        yield Tally(findings=[traceback.format_exc()])


def _in_processes(setup: Setup, chunks: Sequence[tuple[str, int]]) -> Iterator[Tally]:
    context = multiprocessing.get_context("spawn")
    readers: list[Connection] = []
    workers = []
    for number in range(PROCESSES):
        reader, writer = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(setup, chunks[number::PROCESSES], writer))
        worker.start()
        writer.close()
        readers.append(reader)
        workers.append(worker)
    try:
        while readers:
            ready = wait(readers, SILENCE_SECONDS)
            if not ready:
                yield Tally(findings=[f"a process was stuck for {SILENCE_SECONDS} seconds"])
                return
            for reader in (found for found in readers if found in ready):
                try:
                    yield reader.recv()
                except EOFError:
                    readers.remove(reader)
        for worker in workers:
            worker.join()
            if worker.exitcode:
                yield Tally(findings=[f"a process ended with {worker.exitcode}"])
    finally:
        for worker in workers:
            worker.kill()


def _work(setup: Setup, chunks: Sequence[tuple[str, int]], writer: Connection) -> None:
    with writer:
        for part in _in_this_process(setup, chunks):
            writer.send(part)


def _try(trial: Trial, dice: random.Random, count: int) -> Tally:
    tally = Tally(count)
    for _ in range(count):
        given = trial.draw(dice)
        try:
            verdict, seconds = _timed(trial, given)
            for _ in range(2):
                if seconds > HANG_SECONDS:
                    seconds = min(seconds, _timed(trial, given)[1])
        except Exception:
            tally.findings.append(f"{traceback.format_exc()}\ninput: {_shown(given)}")
            tally.verdicts["wrong"] += 1
            continue
        tally.verdicts[verdict] += 1
        tally.slowest = max(tally.slowest, seconds)
        if seconds > HANG_SECONDS:
            tally.findings.append(f"{seconds:.1f} seconds\ninput: {_shown(given)}")
    return tally


def _timed(trial: Trial, given: Any) -> tuple[str, float]:
    start, work = time.perf_counter(), time.process_time()
    verdict = trial.judge(given)
    waited, worked = time.perf_counter() - start, time.process_time() - work
    return verdict, waited if waited > PATIENCE_SECONDS else worked


def _shown(given: Any) -> str:
    text = repr(given)
    return text if len(text) < 20_000 else f"{text[:20_000]}... ({len(text)} characters)"


def _peak() -> int:
    """Return the most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
