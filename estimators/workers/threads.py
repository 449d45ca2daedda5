"""Do work that falls into independent tasks, on all cores; results come in the tasks' order.

Workers only decide when a task is done, never what comes out of it.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, TypeVar

from client.core.primitives.refusal import require

# Tasks queued ahead per thread; this limits the results in memory, however many tasks there are.
AHEAD = 2

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Done = TypeVar("Done")


class Workers(Protocol):
    """Those who do the tasks."""

    def in_order(
        self, work: Callable[[Shared, Task], Done], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Done]:
        """Yield `work(shared, task)` for each task, in their order, while later ones are done.

        Work is a pure function that any module can import: it may be done elsewhere, and again.
        """


@dataclass(frozen=True)
class Threads:
    """So many threads of this machine, by default one per core."""

    jobs: int | None = None

    def __post_init__(self) -> None:
        jobs = self.jobs
        require(jobs is None or (type(jobs) is int and jobs >= 1), "bad_jobs", "jobs", jobs=jobs)

    def in_order(
        self, work: Callable[[Shared, Task], Done], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Done]:
        """Yield the results in order, from threads that run a few tasks ahead.

        If the caller stops early, at Ctrl-C for instance, it waits only for the running tasks.
        """
        threads = self.jobs or os.cpu_count() or 1
        waiting: deque[Future[Done]] = deque()
        with ThreadPoolExecutor(threads) as pool:
            try:
                for task in tasks:
                    waiting.append(pool.submit(work, shared, task))
                    if len(waiting) > AHEAD * threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(cancel_futures=True)


ALL_CORES = Threads()
