"""Yes/no in bulk: a flag per answer, one byte of randomness, hardly any memory."""

import numpy as np

from client.mechanisms import RandomizedResponse
from client.simulate.kernels.draws import Narrow, coins
from client.simulate.kernels.kernel import Kernel
from client.simulate.source import Source


def kernel(m: RandomizedResponse) -> Kernel:
    def draw(answers: Narrow, source: Source) -> Narrow:
        # Keeping a 1 and changing a 0 both report 1: where the answer and the coin are equal.
        return np.equal(answers.view(np.bool_), coins(m.threshold, len(answers), source))

    return Kernel(m.cells, draw)
