"""Any of d by sampled boxes: only some of the reports are about a given box (math 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np

from client.core.mechanisms import SampledChecks
from estimators.counting.tally import Tally
from estimators.mechanisms.analysis import ChecksAnalysis, CovarianceRule
from estimators.shares.spread import Array, Counts, sampling_per_respondent
from estimators.shares.support import Support


@dataclass(frozen=True)
class SampledChecksAnalysis(ChecksAnalysis[SampledChecks]):
    """A report answers yes or no about some of the boxes."""

    rule = (
        "A draw of `asked` out of `options` boxes is made evenly, whatever the truth. Of each "
        "the report says whether it is ticked: the truth with probability T/2^32, else the "
        "opposite. A report is a list of pairs [box, bit]."
    )

    def support(self, tally: Tally) -> Support:
        cells = self.cells(tally)
        return Support(cells[1::2], cells[0::2] + cells[1::2])

    def supports(self, reports: Sequence[Any]) -> Array:
        pairs = np.array(reports, dtype=np.int64).reshape(len(reports), self.mechanism.asked, 2)
        bits = np.full((len(reports), self.mechanism.options), np.nan)
        np.put_along_axis(bits, pairs[:, :, 0], pairs[:, :, 1].astype(np.float64), axis=1)
        return bits

    @property
    def asked_part(self) -> float:
        return self.mechanism.asked / self.mechanism.options

    def promised_noise(self, shares: Array, n: int) -> Array:
        asked = self.asked_part
        noise = super().promised_noise(shares, n)
        return (noise + (1 - asked) * sampling_per_respondent(shares)) / asked

    def spread_of_pairs(self, shares: Array, both: Array) -> Array:
        """Return the covariance times n; only reports about both boxes contribute."""
        options, asked = self.mechanism.options, self.mechanism.asked
        overlap = (asked - 1) * options / (asked * max(options - 1, 1))
        return overlap * (both - np.outer(shares, shares))

    def far_from_both(self) -> int:
        """Return 0: one of two different bits is near to every report."""
        return 0

    def drawn(self, tally: Tally) -> Counts:
        return self.support(tally).asked

    def pair_rule(self) -> CovarianceRule:
        return {"rule": "N[u,v] = 0."}

    def count_reports(self) -> int:
        return comb(self.mechanism.options, self.mechanism.asked) << self.mechanism.asked

    def reports(self) -> list[list[list[int]]]:
        options, asked = self.mechanism.options, self.mechanism.asked
        return [
            [[box, bit] for box, bit in zip(boxes, bits, strict=True)]
            for boxes in combinations(range(options), asked)
            for bits in product((0, 1), repeat=asked)
        ]

    def chances(self, reports: Sequence[Any], truth: Any) -> list[Fraction]:
        """Return P(report | truth) for all reports; each asked box is a draw of its own."""
        keep, asked = self.mechanism.keep, self.mechanism.asked
        each = Fraction(2**asked, len(reports))
        near = [self.mechanism.near_draws(truth, report) for report in reports]
        return [each * keep**kept * (1 - keep) ** (asked - kept) for kept in near]
