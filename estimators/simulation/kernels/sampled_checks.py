"""Sampled check-boxes in bulk: answers are a matrix of flags, a row per respondent."""

import numpy as np

from client.core.mechanisms import SampledChecks
from estimators.simulation.kernels.draws import Narrow, coins, members, subsets
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Integers, Source


def kernel(m: SampledChecks) -> Kernel:
    """Return the kernel of a sampled-checks mechanism."""
    narrow = np.min_scalar_type(m.cells - 1)

    def draw(answers: Narrow, source: Source) -> Narrow:
        boxes = subsets(m.options, m.asked, len(answers), source)
        keep = coins(m.threshold, boxes.size, source).reshape(boxes.shape)
        bits = members(answers, np.arange(len(answers)), boxes) == keep
        codes = boxes.astype(narrow)
        codes *= 2
        codes += bits
        return codes

    def wire(cells: Integers) -> Integers:
        return np.stack([cells // 2, cells % 2], axis=2)

    return Kernel(m.cells, draw, wire=wire)
