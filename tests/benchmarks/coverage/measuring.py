"""What the measurements of coverage share: cases, and the rows of the tables they are printed in.

The rows in estimators/README.md are what `python -m tests.benchmarks PART` prints. Tests read them
there and take every case again, with few samples.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from client.core.mechanisms import TwoLevel
from estimators.counting.tally import Tally
from estimators.mechanisms import analysis_of
from estimators.shares.spread import Array

COVER, LEVEL = 0.95, 0.05
HEADING = "| measured | goal | samples | found |"
EXACT = "exact"
_ROW = re.compile(rf"\| (.+?) \| (0\.\d+) \| ([\d,]+|{EXACT}) \| (.+) \|")
_FIGURE = re.compile(r"(?:(.+) )?(\d\.\d{3})")


@dataclass(frozen=True)
class Found:
    """How often each interval held the truth, or each test rejected it. One alone has no name."""

    parts: Mapping[str, float]
    note: str = ""

    def __str__(self) -> str:
        listed = ", ".join(f"{name} {part:.3f}".strip() for name, part in self.parts.items())
        return f"{listed}; {self.note}" if self.note else listed


@dataclass(frozen=True)
class Case:
    """One measurement. `samples` are those of the README, 0 if it sums over all outcomes.

    `few` are the samples that a test can afford.
    """

    name: str
    measure: Callable[[int], Found]
    samples: int = 4_000
    few: int = 400
    goal: float = COVER

    def row(self) -> str:
        """Measure it in full, and return the row of the README."""
        samples = f"{self.samples:,}" if self.samples else EXACT
        return f"| {self.name} | {self.goal} | {samples} | {self.measure(self.samples)} |"


def table(cases: Iterable[Case]) -> Iterator[str]:
    """Measure all cases in full, and yield the lines of their table."""
    yield HEADING
    yield "|---|---|---|---|"
    for case in cases:
        yield case.row()


def stated(text: str) -> dict[str, tuple[float, int, dict[str, float]]]:
    """Return goal, samples and figures of every row of such tables in a page, by its name."""
    found = {}
    for name, goal, samples, figures in map(_cells_of, rows_of(text)):
        parts = [_FIGURE.fullmatch(part) for part in figures.partition(";")[0].split(", ")]
        named = {part[1] or "": float(part[2]) for part in parts if part}
        assert len(named) == len(parts), f"{name}: {figures}"
        count = 0 if samples == EXACT else int(samples.replace(",", ""))
        found[name] = float(goal), count, named
    return found


def rows_of(text: str) -> list[str]:
    """Return the rows of all such tables in a page."""
    tables = [below.partition("\n\n")[0] for below in text.split(HEADING)[1:]]
    return [line for table in tables for line in table.splitlines()[2:]]


def _cells_of(row: str) -> tuple[str, str, str, str]:
    found = _ROW.fullmatch(row)
    assert found, row
    return found[1], found[2], found[3], found[4]


def slack(part: float, samples: int, few: int) -> float:
    """Return how far a part of few samples may be from that of many: four standard errors.

    A part that was never missed may be missed in a hundredth of all samples.
    """
    inner = min(max(part, 0.01), 0.99)
    return 4 * math.sqrt(inner * (1 - inner) * (1 / few + (1 / samples if samples else 0))) + 5e-4


def share_of(events: Iterable[bool]) -> Found:
    """Return how often an event occurs."""
    return Found({"": float(np.mean(list(events)))})


def parts_of(events: Sequence[Mapping[str, bool]], note: str = "") -> Found:
    """Return how often each of several events occurs."""
    return Found({name: float(np.mean([one[name] for one in events])) for name in events[0]}, note)


def covers(interval: Any, truth: float) -> bool:
    """Whether an interval with two ends holds the truth."""
    return bool(interval.low <= truth <= interval.high)


# Answers with their parts of the population.
Law = Sequence[tuple[Any, float]]


def choosing(*weights: float) -> Law:
    """Return people who choose one option each."""
    return [(option, weight / sum(weights)) for option, weight in enumerate(weights)]


def ticking(*answers: list[int]) -> Law:
    """Return people who tick these boxes, all answers equally common."""
    return [(answer, 1 / len(answers)) for answer in answers]


def report_law(mechanism: TwoLevel, law: Law) -> tuple[list[Any], Array]:
    """Return all reports of a mechanism and the chance of each."""
    analysis: Any = analysis_of(mechanism)
    reports = list(analysis.reports())
    each = [part * np.array(analysis.chances(reports, answer), float) for answer, part in law]
    chances: Array = np.sum(each, axis=0)
    return reports, chances / chances.sum()


def tallies(mechanism: TwoLevel, law: Law, n: int, samples: int, seed: int) -> list[Tally]:
    """Draw the tallies of so many surveys from the exact law of a report."""
    reports, chances = report_law(mechanism, law)
    cells = np.zeros((len(reports), mechanism.cells), dtype=np.int64)
    for place, report in enumerate(reports):
        cells[place, mechanism.cells_of(report)] = 1
    drawn = np.random.default_rng(seed).multinomial(n, chances, size=samples) @ cells
    return [Tally(tuple(counts), n) for counts in drawn.tolist()]
