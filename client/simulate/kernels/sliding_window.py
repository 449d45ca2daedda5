"""Sliding windows in bulk."""

import numpy as np

from client.mechanisms import SlidingWindow
from client.simulate.kernels.draws import Narrow, below, coins, select
from client.simulate.kernels.kernel import Kernel
from client.simulate.source import Source


def kernel(m: SlidingWindow) -> Kernel:
    narrow = np.min_scalar_type(m.cells - 1)

    def draw(answers: Narrow, source: Source) -> Narrow:
        keep = coins(m.threshold, len(answers), source)
        inside = below(m.width + 1, len(answers), source).astype(narrow, copy=False)
        inside += answers
        outside = below(m.top, len(answers), source).astype(narrow, copy=False)
        outside += (outside >= answers) * narrow.type(m.width + 1)
        return select(keep, inside, outside)

    return Kernel(m.cells, draw)
