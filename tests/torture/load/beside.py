"""Work in a process of its own, beside a measurement: it shares neither interpreter nor files."""

import multiprocessing
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from typing import Any, Generic, TypeVar

_CONTEXT = multiprocessing.get_context("forkserver")
_PATIENCE_SECONDS = 60
# Files that a process has open besides its connections.
SPARE_FILES = 100

T = TypeVar("T")


class Signals:
    """`ready` is set by the work once it has begun, `over` when it is to end."""

    def __init__(self) -> None:
        self.ready: Event = _CONTEXT.Event()
        self.over: Event = _CONTEXT.Event()


class Beside(Generic[T]):
    """Work that goes on until it is asked for its result."""

    def __init__(self, signals: Signals, results: "SimpleQueue[T]") -> None:
        self._signals, self._results = signals, results

    def end(self) -> T:
        """End the work and return its result."""
        self._signals.over.set()
        return self._results.get()


@contextmanager
def beside(work: Callable[..., T], *given: Any) -> Iterator[Beside[T]]:
    """Run `work(signals, *given)` in another process, at least until it is ready."""
    signals, results = Signals(), _CONTEXT.SimpleQueue()
    # As a daemon it ends with the tests, whatever happens to them.
    process = _CONTEXT.Process(target=_run, args=(work, signals, results, given), daemon=True)
    process.start()
    try:
        assert signals.ready.wait(_PATIENCE_SECONDS), "the work did not begin"
        yield Beside(signals, results)
    finally:
        signals.over.set()
        process.join(_PATIENCE_SECONDS)
        process.kill()


def _run(
    work: Callable[..., T], signals: Signals, results: "SimpleQueue[T]", given: tuple[Any, ...]
) -> None:
    results.put(work(signals, *given))


def allow_connections(count: int) -> None:
    """Let this process open so many connections; raise if the machine does not."""
    wanted = count + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise OSError(f"{wanted:,} open files are needed, and only {hard:,} are allowed")
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
