"""Subset selection in bulk: single options, short lists by a table of all sets, long lists set by
set.
"""

import numpy as np

from client.mechanisms import SubsetSelection
from client.simulate.kernels import k_ary, subset_table
from client.simulate.kernels.draws import Narrow, below, coins
from client.simulate.kernels.kernel import Kernel
from client.simulate.kernels.subsets import subsets
from client.simulate.source import Source


def kernel(m: SubsetSelection) -> Kernel:
    if m.size == 1:
        return k_ary.kernel(m)
    return subset_table.kernel(m) if subset_table.fits(m) else long_list(m)


def long_list(m: SubsetSelection) -> Kernel:
    def draw(answers: Narrow, source: Source) -> Narrow:
        keep = coins(m.threshold, len(answers), source)
        sets = subsets(m.options - 1, m.size, len(answers), source)
        # Numbers from the truth on are those of the options after it.
        sets += sets >= answers
        # The truth takes the place of any of the others: what remains of them is uniform.
        place = below(m.size, len(answers), source)
        kept = np.flatnonzero(keep)
        sets[place[kept], kept] = answers[kept]
        return sets

    return Kernel(m.cells, draw)
