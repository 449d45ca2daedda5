"""Private sets in bulk: answers are a matrix of flags, a row per respondent."""

import numpy as np

from client.core.mechanisms import PrivateSet
from estimators.simulation.kernels.draws import Narrow, coins, members, subsets
from estimators.simulation.kernels.kernel import Kernel, same
from estimators.simulation.kernels.source import Flags, Source

# If fewer respondents are left than this, each tries several sets at once.
FEWEST_SETS = 2**10


def kernel(m: PrivateSet) -> Kernel:
    """Return the kernel of a private-set mechanism."""

    def draw(answers: Flags, source: Source) -> Narrow:
        blanks = m.at_most - np.count_nonzero(answers, axis=1)
        padded = np.hstack([answers, np.arange(m.at_most) < blanks[:, np.newaxis]])
        keep = coins(m.threshold, len(answers), source)
        reports = np.empty((m.size, len(answers)), dtype=np.min_scalar_type(m.items))
        unsettled = np.ones(len(answers), dtype=np.bool_)
        waiting = np.arange(len(answers))
        while len(waiting):
            tried = np.resize(waiting, max(len(waiting), FEWEST_SETS))
            sets = subsets(m.items, m.size, len(tried), source)
            # A uniform set that meets the answer is a uniform near set, any other a far one.
            fits = members(padded, tried, sets).any(axis=0) == keep[tried]
            found = np.flatnonzero(fits)
            settled = tried[found]
            for row, items in zip(reports, sets, strict=True):
                row[settled] = items[found]
            unsettled[settled] = False
            waiting = waiting[unsettled[waiting]]
        return reports

    return Kernel(m.cells, draw, wire=same)
