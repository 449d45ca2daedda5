"""Sliding windows in bulk."""

import numpy as np

from client.core.mechanisms import SlidingWindow
from estimators.simulation.kernels.draws import Narrow, below, coins, select
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Source


def kernel(m: SlidingWindow) -> Kernel:
    """Return the kernel of a sliding-window mechanism."""
    narrow = np.min_scalar_type(m.cells - 1)

    def draw(answers: Narrow, source: Source) -> Narrow:
        keep = coins(m.threshold, len(answers), source)
        inside = below(m.width + 1, len(answers), source).astype(narrow, copy=False)
        inside += answers
        outside = below(m.top, len(answers), source).astype(narrow, copy=False)
        outside += (outside >= answers) * narrow.type(m.width + 1)
        return select(keep, inside, outside)

    return Kernel(m.cells, draw)
