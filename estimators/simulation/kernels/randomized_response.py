"""Yes/no in bulk: one flag per answer, one byte of randomness, hardly any memory."""

import numpy as np

from client.core.mechanisms import RandomizedResponse
from estimators.simulation.kernels.draws import Narrow, coins
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Source


def kernel(m: RandomizedResponse) -> Kernel:
    """Return the kernel of randomized response."""

    def draw(answers: Narrow, source: Source) -> Narrow:
        # Keeping a 1 and flipping a 0 both report 1: the answer equals the coin.
        return np.equal(answers.view(np.bool_), coins(m.threshold, len(answers), source))

    return Kernel(m.cells, draw)
