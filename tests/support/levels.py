"""Small mechanisms for ordered answers, and tallies that they could give."""

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms import RandomThreshold, SlidingWindow
from estimators.counting.tally import Tally
from estimators.ordinal.levels import LevelEstimates
from estimators.tables.question import estimate_mechanism
from tests.support.analyses import level_analysis

Array = NDArray[np.float64]
ONE, TWO = Decimal(1), Decimal(2)
THRESHOLDS = [RandomThreshold.at(ONE, top=1), RandomThreshold.at(TWO, top=5)]
WINDOWS = [
    SlidingWindow.at(ONE, top=4, width=2),
    SlidingWindow.at(TWO, top=5, width=0),
    SlidingWindow.at(Decimal("0.5"), top=3, width=3),
]
ORDERED: list[RandomThreshold | SlidingWindow] = [*THRESHOLDS, *WINDOWS]


def name(mechanism: RandomThreshold | SlidingWindow) -> str:
    return f"{mechanism.name}{tuple(mechanism.shape.values())}"


def estimates_of(
    mechanism: RandomThreshold | SlidingWindow, counts: list[int], lo: float = 0, step: float = 1
) -> LevelEstimates:
    found = estimate_mechanism(mechanism, Tally.of_cells(counts), lo, step)
    assert isinstance(found, LevelEstimates)
    return found


def simulated(
    mechanism: RandomThreshold | SlidingWindow, shares: Array, n: int, seed: int
) -> LevelEstimates:
    source = np.random.Generator(np.random.PCG64(seed))
    return estimates_of(
        mechanism, source.multinomial(n, level_analysis(mechanism).forward(shares)).tolist()
    )


def expected_counts(mechanism: RandomThreshold | SlidingWindow, shares: Array, n: int) -> list[int]:
    return [round(count) for count in (n * level_analysis(mechanism).forward(shares)).tolist()]
