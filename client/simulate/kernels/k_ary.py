"""Sets of one option, k-ary randomized response, in bulk: the options are a wheel to be turned."""

import numpy as np

from client.mechanisms import SubsetSelection
from client.simulate.kernels.draws import Narrow, near_or_far
from client.simulate.kernels.kernel import Kernel
from client.simulate.source import Source


def kernel(m: SubsetSelection) -> Kernel:
    k = m.options
    narrow = np.min_scalar_type(2 * k - 2)

    def draw(answers: Narrow, source: Source) -> Narrow:
        # No turn keeps the answer; each other option is as many steps away as no other.
        turns = near_or_far(m.threshold, 1, k - 1, len(answers), source)
        reports = turns.astype(narrow, copy=False)
        reports += answers
        # Modulo k; numpy is several times faster at dividing than at remainders.
        reports -= reports // k * k
        return reports

    return Kernel(m.cells, draw)
