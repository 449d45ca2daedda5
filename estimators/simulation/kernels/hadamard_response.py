"""Hadamard response in bulk."""

import numpy as np

from client.core.mechanisms import HadamardResponse
from estimators.simulation.kernels.draws import Narrow, below, coins
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Source


def kernel(m: HadamardResponse) -> Kernel:
    """Return the kernel of Hadamard response."""
    narrow = np.min_scalar_type(m.columns - 1)

    def draw(answers: Narrow, source: Source) -> Narrow:
        keep = coins(m.threshold, len(answers), source)
        columns = below(m.columns, len(answers), source).astype(narrow, copy=False)
        rows = answers.astype(narrow)
        rows += 1
        odd = np.bitwise_count(columns & rows)
        odd &= 1
        lowest = rows & -rows
        lowest *= odd.view(np.bool_) == keep
        columns ^= lowest
        return columns

    return Kernel(m.cells, draw)
