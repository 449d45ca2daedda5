"""Draw many samples of one survey on all cores: the same seed gives the same samples.

Every block of respondents has its own stream, numbered by the plan, the repeat and the block.
Threads only decide when a block is drawn, never what is in it.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from client.core.primitives.refusal import require
from estimators.simulation.aggregate.engine import why_not_aggregate
from estimators.simulation.engines import AGGREGATE, ENGINES, RESPONDENTS, Engine
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.truths import SurveySample, Truths, together

MAX_REPEATS = 10**6
# Tasks queued ahead per thread; this limits the samples in memory, whatever the repeats.
AHEAD = 2
# Small blocks are drawn several at a time, because handing out work takes time as well.
MOST_TOGETHER = 16
ENOUGH_TOGETHER = 2**16

Task = TypeVar("Task")
Done = TypeVar("Done")


@dataclass(frozen=True)
class Plan:
    """How many samples of how many respondents to draw, and with which engine.

    `cell` is the plan's number in a grid of plans with the same seed.
    """

    truths: Truths
    respondents: int
    repeats: int
    seed: int
    engine: str = RESPONDENTS
    cell: int = 0

    def __post_init__(self) -> None:
        require(
            self.engine in ENGINES,
            "bad_engine.unknown",
            "engine",
            known=list(ENGINES),
            engine=self.engine,
        )
        most, everybody = ENGINES[self.engine].most, self.truths.size
        require(
            type(self.respondents) is int and 1 <= self.respondents <= most,
            "bad_n.engine",
            "respondents",
            most=most,
            engine=self.engine,
            respondents=self.respondents,
        )
        require(
            everybody in (None, self.respondents),
            "bad_n.people",
            "respondents",
            people=everybody,
            respondents=self.respondents,
        )
        require(
            type(self.repeats) is int and 1 <= self.repeats <= MAX_REPEATS,
            "bad_repeats",
            "repeats",
            most=MAX_REPEATS,
            repeats=self.repeats,
        )
        hindrance = why_not_aggregate(self.truths) if self.engine == AGGREGATE else None
        require(hindrance is None, "bad_engine.hindrance", "engine", hindrance=hindrance)
        stream(self.seed)  # Raises if the seed is invalid.


class Block(NamedTuple):
    """Some of the respondents of one repeat."""

    repeat: int
    number: int
    first: int
    n: int


def run(
    plan: Plan,
    jobs: int | None = None,
    on_respondents: Callable[[int], object] = lambda n: None,
) -> Iterator[SurveySample]:
    """Yield the finished samples in order, while the next ones are being drawn.

    `on_respondents` is called with the number of further respondents done, in the caller's thread.
    """
    engine = ENGINES[plan.engine]

    def draw(blocks: tuple[Block, ...]) -> list[tuple[Block, SurveySample]]:
        return [(block, _draw(plan, engine, block)) for block in blocks]

    parts: list[SurveySample] = []
    for drawn in in_order(_tasks(plan, engine), draw, jobs):
        for block, sample in drawn:
            parts = [together(*parts, sample)]
            on_respondents(block.n)
            if block.first + block.n == plan.respondents:
                yield parts.pop()


def in_order(
    tasks: Iterable[Task], work: Callable[[Task], Done], jobs: int | None = None
) -> Iterator[Done]:
    """Yield the results of the tasks in order, from threads that run a few tasks ahead.

    If the caller stops early, at Ctrl-C for instance, it waits only for the running tasks.
    """
    threads = _threads(jobs)
    waiting: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for task in tasks:
                waiting.append(pool.submit(work, task))
                if len(waiting) > AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _threads(jobs: int | None) -> int:
    require(jobs is None or (type(jobs) is int and jobs >= 1), "bad_jobs", "jobs", jobs=jobs)
    return jobs or os.cpu_count() or 1


def _tasks(plan: Plan, engine: Engine) -> Iterator[tuple[Block, ...]]:
    size = engine.block_size(plan.truths.survey)
    together = max(1, min(MOST_TOGETHER, ENOUGH_TOGETHER // plan.respondents))
    blocks = (
        Block(repeat, number, first, min(size, plan.respondents - first))
        for repeat in range(plan.repeats)
        for number, first in enumerate(range(0, plan.respondents, size))
    )
    while task := tuple(islice(blocks, together)):
        yield task


def _draw(plan: Plan, engine: Engine, block: Block) -> SurveySample:
    source = stream(plan.seed, plan.cell, block.repeat, block.number)
    return engine.draw(plan.truths, block.first, block.n, source)
