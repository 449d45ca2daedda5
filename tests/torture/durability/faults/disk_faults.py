"""The disk fails under a running server: it survives, loses nothing, and recovers by itself."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from random import Random

from tests.torture.durability.disk.faults import (
    BAD_READ,
    BAD_SYNC,
    BAD_WRITE,
    FULL,
    READ_ONLY,
    Fault,
)
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.faults import locks
from tests.torture.durability.faults.service import Service
from tests.torture.row import Outcome, Progress, Row

# Of one data folder: verifying takes longer the more it holds.
FAULTS_EACH = 50
# About as many calls of each kind are made in a busy moment, and at a start.
MOST_CALLS = {FULL: 100, READ_ONLY: 120, BAD_WRITE: 100, BAD_SYNC: 20, BAD_READ: 50}
MOST_AT_START = 30
# A trial makes trouble for a service and ends it; it returns how often the trouble was met.
Trial = Callable[[Service], int]


@dataclass
class Toll:
    """What the faults have cost."""

    # Calls that failed, and requests that met a lock.
    met: int = 0
    refused: int = 0
    problems: list[str] = field(default_factory=list)


def trials(random: Random) -> Iterator[tuple[str, Trial]]:
    """Yield troubles without end, each with its name; a lock that lasts comes once in a while."""
    while True:
        yield "a lock that lasts", locks.last
        yield "a lock for a moment", locks.pass_by
        yield "a reader", locks.read
        for kind in (*MOST_CALLS, *MOST_CALLS, *MOST_CALLS):
            for fault in _faults(kind, random):
                yield str(fault), partial(fail, fault=fault)
            late = replace(kind, first=random.randint(1, MOST_AT_START), every=0)
            yield f"{late} at a start", partial(fail_at_start, fault=late)


def _faults(kind: Fault, random: Random) -> Iterator[Fault]:
    """Yield a fault that lasts, one of a single call, and one of every n-th call."""
    yield kind
    yield replace(kind, first=random.randint(1, MOST_CALLS[kind]), every=0)
    often = random.randint(2, 20)
    yield replace(kind, first=random.randint(1, often), every=often)


def fail(service: Service, fault: Fault) -> int:
    """Let calls fail in a busy moment."""
    service.faults.arm(fault)
    service.live()
    return service.faults.disarm()


def fail_at_start(service: Service, fault: Fault) -> int:
    """Let a call fail while the server starts; without the fault it must start."""
    service.stop()
    service.faults.arm(fault)
    listens = service.start()
    failed = service.faults.disarm()
    if not listens:
        service.require_clear_end()
        if not service.start():
            service.problems.append("the server does not start after the fault")
    return failed


def suffer(troubles: Iterable[tuple[str, Trial]], advance: Callable[[], None]) -> Toll:
    """Go through troubles in a new folder."""
    toll = Toll()
    with in_memory() as place:
        service = Service(place)
        for name, trial in troubles:
            toll.met += trial(service)
            service.recover()
            service.check()
            toll.problems += (f"{name}: {problem}" for problem in service.problems)
            service.problems.clear()
            advance()
        toll.refused = service.statuses[503]
        service.stop()
        toll.problems += service.problems
    return toll


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Go through so many troubles, in as many data folders as that takes."""
    troubles = islice(trials(Random(seed)), amount)
    tolls = [
        suffer(islice(troubles, FAULTS_EACH), progress.advance)
        for _ in range(0, amount, FAULTS_EACH)
    ]
    problems = [problem for toll in tolls for problem in toll.problems]
    met, refused = sum(toll.met for toll in tolls), sum(toll.refused for toll in tolls)
    figure = (
        f"{amount:,} troubles, {met:,} calls failed or were kept waiting, {refused:,} reports "
        f"put off with 503, {len(problems)} problems"
    )
    return Outcome(figure, not problems, problems[0] if problems else "")


ROW = Row(
    "disk-faults",
    "disk full, read-only, locks of others, an I/O error at the n-th or every n-th call, in busy "
    "moments and at starts",
    "survives, nothing acknowledged lost, `candor verify` sound, recovers by itself; 503 with one "
    "clear sentence meanwhile",
    500,
    "troubles",
    run,
)
