"""A grid of simulated surveys, one cell for every total epsilon and number of respondents."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from estimators.simulation.engines import choose_engine
from estimators.simulation.people.truths import Truths
from estimators.simulation.running import Plan, run
from estimators.study.comparison import Comparison
from estimators.study.study import Study
from estimators.workers.threads import ALL_CORES, Workers

Studies = dict[str, tuple[Study, ...]]


@dataclass(frozen=True)
class Cell:
    """One survey of the grid: what to draw, with which engine, and why with that one."""

    plan: Plan
    reason: str


@dataclass(frozen=True)
class CellResult:
    """The result of a cell, complete or interrupted: per question a study of every figure."""

    cell: Cell
    studies: Studies
    repeats: int
    seconds: float

    @property
    def plan(self) -> Plan:
        return self.cell.plan

    @property
    def respondents_per_second(self) -> int:
        return round(self.repeats * self.plan.respondents / self.seconds)


def grid(
    populations: Iterable[Truths],
    respondents: Sequence[int],
    repeats: int,
    seed: int,
    engine: str | None,
) -> list[Cell]:
    """Return all cells, validated before the first is drawn; choose the engine if none is given."""
    shapes = [(truths, n) for truths in populations for n in respondents]
    cells = []
    for number, (truths, n) in enumerate(shapes):
        chosen, reason = choose_engine(truths, n, repeats)
        if engine is not None:
            chosen, reason = engine, "as asked for"
        cells.append(Cell(Plan(truths, n, repeats, seed, chosen, cell=number), reason))
    return cells


def sweep(
    cells: Iterable[Cell],
    confidence: float,
    workers: Workers = ALL_CORES,
    on_respondents: Callable[[int], object] = lambda n: None,
) -> Iterator[CellResult]:
    """Draw the cells and yield each result; after Ctrl-C yield the unfinished cell and stop."""
    for cell in cells:
        comparison = Comparison(cell.plan.truths, cell.plan.respondents, confidence)
        started = time.perf_counter()
        stopped = False
        try:
            for sample in run(cell.plan, workers, on_respondents):
                comparison.add(sample)
        except KeyboardInterrupt:
            stopped = True
        seconds = time.perf_counter() - started
        yield CellResult(cell, comparison.studies(), comparison.repeats, seconds)
        if stopped:
            return
