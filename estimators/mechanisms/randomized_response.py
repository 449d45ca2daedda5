"""Yes/no: the noise does not depend on the truth (math 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from client.core.mechanisms import RandomizedResponse
from estimators.mechanisms.analysis import ChoiceAnalysis, CovarianceRule
from estimators.mechanisms.subset_selection import PAIR_RULE
from estimators.shares.covariance import pair_noise, pairs_times
from estimators.shares.spread import Array


@dataclass(frozen=True)
class RandomizedResponseAnalysis(ChoiceAnalysis[RandomizedResponse]):
    """Subset selection of one out of two options."""

    rule = "With probability T/2^32 the report is the truth, else the other option."

    def supports(self, reports: Sequence[Any]) -> Array:
        return np.equal.outer(np.array(reports, dtype=np.int64), np.arange(2)).astype(np.float64)

    def count_supporting(self) -> int:
        return 1

    def pair_noise(self) -> tuple[float, float]:
        """Return the noise covariance of the two options; there is no third that could be true."""
        return pair_noise(2, 1, float(self.mechanism.p), float(self.mechanism.q))

    def noise_times(self, shares: Array, targets: Array) -> Array:
        p, q = float(self.mechanism.p), float(self.mechanism.q)
        return pairs_times(self.pair_noise(), p, q, shares, targets)

    def far_from_both(self) -> int:
        """Return 0: one of two different bits is near to every report."""
        return 0

    def pair_rule(self) -> CovarianceRule:
        told, silent = self.pair_noise()
        return {"told": told, "silent": silent, "rule": PAIR_RULE}
