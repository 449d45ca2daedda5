"""How often 95 % intervals hold the truth where a number can be declined, by simulation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from client.authoring.draft.mechanism_choice import best_sliding_window
from client.core.mechanisms import SlidingWindow
from estimators.tables.level_rows import QUANTILES
from tests.support.analyses import level_analysis
from tests.support.levels import Array, estimates_of

TOP = 10
_LEVELS = np.arange(TOP + 1)
SHAPES = {
    "even": np.ones(TOP + 1),
    "falling": np.asarray(0.7**_LEVELS, dtype=np.float64),
    "both ends": np.isin(_LEVELS, (0, TOP)).astype(np.float64),
}
# The shares of people who choose the one option for silence, or each of the two.
SILENT = ((0.1,), (0.5,), (0.05, 0.3))
# Quantiles take longer than all others together: so many samples for each of theirs.
SAMPLES_PER_QUANTILE = 50
SEED = 47


@dataclass(frozen=True)
class Cover:
    """How often each interval held the truth, over all shapes; the mean also if it has none."""

    epsilon: str
    n: int
    silent: tuple[float, ...]
    mean: float
    without_mean: float
    total: float
    option: float
    quantiles: float


def measure(epsilons: Sequence[str], sizes: Sequence[int], samples: int) -> Iterator[Cover]:
    """Yield a row for every epsilon, number of reports and silence, each from draws of its own."""
    seeds = np.random.SeedSequence(SEED)
    for epsilon in epsilons:
        for n in sizes:
            for silent in SILENT:
                mechanism = best_sliding_window(TOP, Decimal(epsilon), len(silent))
                found = [
                    _shape(
                        mechanism, shape, silent, _drawn(mechanism, shape, silent, n, samples, seed)
                    )
                    for shape, seed in zip(SHAPES.values(), seeds.spawn(len(SHAPES)), strict=True)
                ]
                yield Cover(epsilon, n, silent, *np.mean(found, axis=0).tolist())


def _drawn(
    mechanism: SlidingWindow,
    shape: Array,
    silent: tuple[float, ...],
    n: int,
    samples: int,
    seed: np.random.SeedSequence,
) -> list[list[int]]:
    """Draw the reports of so many surveys from the exact law of a report."""
    shares = np.append(shape / shape.sum() * (1 - sum(silent)), silent)
    chances = level_analysis(mechanism).forward(shares)
    counts: list[list[int]] = np.random.default_rng(seed).multinomial(n, chances, samples).tolist()
    return counts


def _shape(
    mechanism: SlidingWindow, shape: Array, silent: tuple[float, ...], drawn: list[list[int]]
) -> list[float]:
    """Return how often mean, total, first silent option and quantiles held the truth."""
    own = shape / shape.sum()
    truth = float(own @ _LEVELS)
    quantiles = [int((np.cumsum(own) >= chance - 1e-12).argmax()) for chance in QUANTILES.values()]
    hits = np.zeros(4)
    seen = []
    for place, counts in enumerate(drawn):
        found = estimates_of(mechanism, counts)
        assert found.silent is not None
        ends = found.mean.interval(), found.total.interval()
        low, high = found.silent.intervals()
        hits += (
            ends[0].low <= truth <= ends[0].high,
            not found.mean.is_known,
            ends[1].low <= truth * (1 - sum(silent)) * found.n <= ends[1].high,
            low[0] <= silent[0] <= high[0],
        )
        if place % SAMPLES_PER_QUANTILE == 0:
            intervals = [found.quantile(chance).interval for chance in QUANTILES.values()]
            pairs = zip(intervals, quantiles, strict=True)
            seen += [interval.low <= level <= interval.high for interval, level in pairs]
    return [*(hits / len(drawn)).tolist(), float(np.mean(seen))]


def table(covers: Sequence[Cover]) -> str:
    """Return the rows as a table for estimators/README.md."""
    heading = "| eps | n | silent | mean | no mean | total | silent option | quantiles |"
    lines = [heading, "|" + "---|" * 8]
    for one in covers:
        silent = " and ".join(f"{share:g}" for share in one.silent)
        figures = (one.mean, one.without_mean, one.total, one.option, one.quantiles)
        shown = " | ".join(f"{figure:.3f}" for figure in figures)
        lines.append(f"| {one.epsilon} | {one.n:,} | {silent} | {shown} |")
    return "\n".join(lines)
