"""Random thresholds in bulk."""

import numpy as np

from client.core.mechanisms import RandomThreshold
from estimators.simulation.kernels.draws import Narrow, below, coins
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Integers, Source


def kernel(m: RandomThreshold) -> Kernel:
    """Return the kernel of a random-threshold mechanism."""
    narrow = np.min_scalar_type(m.cells - 1)

    def draw(answers: Narrow, source: Source) -> Narrow:
        # The answer is at least t = 1 + lower if it is more than `lower`.
        lower = below(m.top, len(answers), source).astype(narrow, copy=False)
        bits = (answers > lower) == coins(m.threshold, len(answers), source)
        lower *= 2
        lower += bits
        return lower

    def wire(cells: Integers) -> Integers:
        return np.concatenate([1 + cells // 2, cells % 2], axis=1)

    return Kernel(m.cells, draw, wire=wire)
