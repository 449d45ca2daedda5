"""Draw many samples of one survey on all workers: the same seed gives the same samples.

Every block of respondents has its own stream, numbered by the plan, the repeat and the block.
Workers only decide when a block is drawn, never what is in it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from client.core.primitives.refusal import require
from estimators.simulation.aggregate.engine import why_not_aggregate
from estimators.simulation.engines import AGGREGATE, ENGINES, RESPONDENTS
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.truths import SurveySample, Truths, together
from estimators.workers.threads import ALL_CORES, Workers

MAX_REPEATS = 10**6
# Small blocks are drawn several at a time, because handing out work takes time as well.
MOST_TOGETHER = 16
ENOUGH_TOGETHER = 2**16


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
    workers: Workers = ALL_CORES,
    on_respondents: Callable[[int], object] = lambda n: None,
) -> Iterator[SurveySample]:
    """Yield the finished samples in order, while the next ones are being drawn.

    `on_respondents` is called with the number of further respondents done, in the caller's thread.
    """
    parts: list[SurveySample] = []
    for drawn in workers.in_order(_draw, plan, _tasks(plan)):
        for block, sample in drawn:
            parts = [together(*parts, sample)]
            on_respondents(block.n)
            if block.first + block.n == plan.respondents:
                yield parts.pop()


def _draw(plan: Plan, blocks: tuple[Block, ...]) -> list[tuple[Block, SurveySample]]:
    return [(block, _draw_block(plan, block)) for block in blocks]


def _tasks(plan: Plan) -> Iterator[tuple[Block, ...]]:
    size = ENGINES[plan.engine].block_size(plan.truths.survey)
    together = max(1, min(MOST_TOGETHER, ENOUGH_TOGETHER // plan.respondents))
    blocks = (
        Block(repeat, number, first, min(size, plan.respondents - first))
        for repeat in range(plan.repeats)
        for number, first in enumerate(range(0, plan.respondents, size))
    )
    while task := tuple(islice(blocks, together)):
        yield task


def _draw_block(plan: Plan, block: Block) -> SurveySample:
    source = stream(plan.seed, plan.cell, block.repeat, block.number)
    return ENGINES[plan.engine].draw(plan.truths, block.first, block.n, source)
