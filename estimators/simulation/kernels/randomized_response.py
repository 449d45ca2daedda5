"""Yes/no in bulk: a flag per answer, one byte of randomness, hardly any memory."""

import numpy as np

from client.core.mechanisms import RandomizedResponse
from estimators.simulation.kernels.draws import Narrow, coins
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Source


def kernel(m: RandomizedResponse) -> Kernel:
    def draw(answers: Narrow, source: Source) -> Narrow:
        # Keeping a 1 and changing a 0 both report 1: where the answer and the coin are equal.
        return np.equal(answers.view(np.bool_), coins(m.threshold, len(answers), source))

    return Kernel(m.cells, draw)
