"""Sliding windows in bulk."""

import numpy as np

from client.core.mechanisms import SlidingWindow
from estimators.simulation.kernels.draws import Narrow, below, coins, select
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Source


def kernel(m: SlidingWindow) -> Kernel:
    """Return the kernel of a sliding-window mechanism."""
    narrow = np.min_scalar_type(m.cells - 1)
    starts = np.array([m.start(answer) for answer in range(m.domain.count)], dtype=narrow)

    def draw(answers: Narrow, source: Source) -> Narrow:
        # The windows of levels start at the levels themselves.
        first = starts.take(answers) if m.silent else answers
        keep = coins(m.threshold, len(answers), source)
        inside = below(m.near, len(answers), source).astype(narrow, copy=False)
        inside += first
        outside = below(m.far, len(answers), source).astype(narrow, copy=False)
        outside += (outside >= first) * narrow.type(m.near)
        return select(keep, inside, outside)

    return Kernel(m.cells, draw)
