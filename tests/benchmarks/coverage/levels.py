"""How often 95 % intervals of cumulative shares and quantiles hold the truth, by simulation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from client.authoring.draft.mechanism_choice import square_wave
from client.core.mechanisms import RandomThreshold, SlidingWindow
from estimators.tables.level_rows import QUANTILES
from tests.support.levels import Array, simulated

TOP = 60
# The levels whose cumulative shares are compared with the truth.
POINTS = range(2, TOP, 6)
ORDINARY, HARD = "ordinary", "hard"
_LEVELS = np.arange(TOP + 1)


def _bell(middle: float, deviation: float) -> Array:
    return np.exp(-(((_LEVELS - middle) / deviation) ** 2) / 2)


def _at(*levels: int) -> Array:
    return np.isin(_LEVELS, levels).astype(np.float64)


SHAPES: dict[str, dict[str, Array]] = {
    ORDINARY: {
        "two bells": _bell(15, 5) + _bell(45, 5),
        "wide bell": _bell(30, 8),
        "narrow bell": _bell(30, 3),
        "falling": np.exp(-_LEVELS / 8),
        "a third at zero": 0.35 * _at(0) + 0.65 * _bell(20, 8) / _bell(20, 8).sum(),
    },
    HARD: {
        "one level": _at(20),
        "three spikes": _at(8, 30, 50),
        "both ends": _at(0, TOP),
        "every tenth": _at(*range(0, TOP + 1, 10)),
        "even": np.ones(TOP + 1),
    },
}


@dataclass(frozen=True)
class Coverage:
    """What intervals of one mechanism did at one epsilon and n, over shapes of one kind."""

    mechanism: str
    epsilon: str
    n: int
    kind: str
    # Of cumulative shares: the part of all intervals that held the truth, the part at the worst
    # level of the worst shape, and the mean half-width in points.
    mean: float
    worst: float
    half_width: float
    # Of the five quantiles: the same parts, and the mean length in levels.
    quantile_mean: float
    quantile_worst: float
    lengths: tuple[float, ...]


def measure(epsilons: Sequence[str], sizes: Sequence[int], samples: int) -> Iterator[Coverage]:
    """Yield the coverage of both mechanisms for every epsilon, n and kind of shape."""
    for epsilon in epsilons:
        mechanisms = (
            RandomThreshold.at(Decimal(epsilon), top=TOP),
            square_wave(TOP, Decimal(epsilon)),
        )
        for mechanism in mechanisms:
            for n in sizes:
                for kind, shapes in SHAPES.items():
                    cells = [sampled(mechanism, shape, n, samples) for shape in shapes.values()]
                    yield _coverage(mechanism.name, epsilon, n, kind, cells)


@dataclass(frozen=True)
class Cell:
    """Of one shape: which intervals held the truth, one sample per row, and how long they were."""

    points: Array
    widths: Array
    quantiles: Array
    lengths: Array


def sampled(mechanism: RandomThreshold | SlidingWindow, shape: Array, n: int, samples: int) -> Cell:
    shares = shape / shape.sum()
    truth = np.cumsum(shares)
    exact = [int(np.argmax(truth >= part - 1e-9)) for part in QUANTILES.values()]
    held, widths, held_quantiles, lengths = [], [], [], []
    for seed in range(samples):
        found = simulated(mechanism, shares, n, seed)
        limits = [found.cumulative.interval(at) for at in POINTS]
        held.append(
            [
                limit.low - 1e-9 <= truth[at] <= limit.high + 1e-9
                for at, limit in zip(POINTS, limits, strict=True)
            ]
        )
        widths.append([limit.high - limit.low for limit in limits])
        intervals = [found.quantile(part).interval for part in QUANTILES.values()]
        held_quantiles.append(
            [one.low <= at <= one.high for at, one in zip(exact, intervals, strict=True)]
        )
        lengths.append([one.high - one.low for one in intervals])
    return Cell(
        *(np.array(figures, np.float64) for figures in (held, widths, held_quantiles, lengths))
    )


def _coverage(mechanism: str, epsilon: str, n: int, kind: str, cells: Sequence[Cell]) -> Coverage:
    lengths = np.mean([cell.lengths.mean(axis=0) for cell in cells], axis=0)
    return Coverage(
        *(mechanism, epsilon, n, kind),
        mean=float(np.concatenate([cell.points.ravel() for cell in cells]).mean()),
        worst=min(float(cell.points.mean(axis=0).min()) for cell in cells),
        half_width=50 * float(np.mean([cell.widths.mean() for cell in cells])),
        quantile_mean=float(np.mean([cell.quantiles.mean() for cell in cells])),
        quantile_worst=min(float(cell.quantiles.mean(axis=0).min()) for cell in cells),
        lengths=tuple(lengths.tolist()),
    )


def table(found: Iterator[Coverage]) -> Iterator[str]:
    """Yield the lines of the table in estimators/README.md, section 4, 5.

    Half-widths and lengths are those of ordinary shapes.
    """
    yield (
        "| | eps | n | shares, ordinary | shares, hard | half-width | quantiles, ordinary "
        "| quantiles, hard | lengths |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for ordinary in found:
        hard = next(found)
        shares, quantiles = (
            " | ".join(f"{mean:.3f} / {worst:.3f}" for mean, worst in pairs)
            for pairs in (
                [(one.mean, one.worst) for one in (ordinary, hard)],
                [(one.quantile_mean, one.quantile_worst) for one in (ordinary, hard)],
            )
        )
        lengths = " ".join(f"{length:.0f}" for length in ordinary.lengths)
        heading = f"{ordinary.mechanism} | {ordinary.epsilon} | {ordinary.n:,}"
        yield f"| {heading} | {shares} | {ordinary.half_width:.1f} | {quantiles} | {lengths} |"
