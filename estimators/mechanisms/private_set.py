"""At most m of d by private sets: the items of a report vary together (math 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from client.core.mechanisms import PrivateSet
from client.core.primitives.refusal import require
from estimators.counting.tally import Tally
from estimators.mechanisms.analysis import ChecksAnalysis, CovarianceRule, members
from estimators.shares.spread import Array
from estimators.shares.support import Support


@dataclass(frozen=True)
class PrivateSetAnalysis(ChecksAnalysis[PrivateSet]):
    """A report supports the options in its set; the dummies in it mean nothing."""

    rule = (
        "The ticked options are filled up to `at_most` items with dummies, numbered from "
        "`options` on. A report is a sorted set of `size` of the `options` + `at_most` items. "
        "With probability T/2^32 it is drawn evenly from the sets that meet the answer, else "
        "from those that do not."
    )

    def support(self, tally: Tally) -> Support:
        reported = self.cells(tally)[: self.mechanism.options]
        return Support(reported, np.full(len(reported), tally.n))

    def supports(self, reports: Sequence[Any]) -> Array:
        return members(reports, self.mechanism.items)[:, : self.mechanism.options]

    def spread_of_pairs(self, shares: Array, both: Array) -> Array:
        """Return the covariance of two boxes' shares times n, if the share `both` ticks both.

        A report holds u and v with the same probability if the answer holds one of them or both,
        and with a smaller one if it holds neither.
        """
        told, silent = self.pair_chances()
        p, q = float(self.mechanism.p), float(self.mechanism.q)
        reported = q + (p - q) * shares
        either = np.add.outer(shares, shares) - both
        held = silent + (told - silent) * either
        return (held - np.outer(reported, reported)) / (p - q) ** 2

    def far_from_both(self) -> int:
        """Count the sets that miss two padded answers without a common item."""
        return comb(self.mechanism.options - self.mechanism.at_most, self.mechanism.size)

    def pair_chances(self) -> tuple[float, float]:
        """Return P(a report holds u and v) if the answer holds u or v, and if it holds neither.

        With g the chance for a uniform set of all items, g' for one of the items outside the answer
        and f the chance to miss the answer: P g/(1-f), and P (g - f g')/(1-f) + (1-P) g'.
        """
        m = self.mechanism
        size, items, options = m.size, m.items, m.options
        uniform = size * (size - 1) / (items * (items - 1))
        outside = size * (size - 1) / (options * (options - 1)) if options > 1 else 0.0
        hit = m.near / (m.near + m.far)
        keep = float(m.keep)
        told = keep * uniform / hit
        silent = keep * (uniform - (1 - hit) * outside) / hit + (1 - keep) * outside
        return told, silent

    def pair_scores(self, reports: Sequence[Any], first: int, second: int) -> Array:
        """Return for each report an unbiased score of "both boxes are ticked" (math 15).

        (1[u, v in S] - silent - (told - silent)(s_u + s_v)) / (silent - told). Sets of one item
        say nothing about two boxes together; for them this raises.
        """
        require(self.mechanism.size > 1, "not_identified.small_set", "size")
        told, silent = self.pair_chances()
        held = self.supports(reports)[:, [first, second]].prod(axis=1)
        sums = self.report_scores(reports)[:, [first, second]].sum(axis=1)
        scores: Array = (held - silent) / (silent - told) + sums
        return scores

    def pair_rule(self) -> CovarianceRule:
        told, silent = self.pair_chances()
        return {
            "told": told,
            "silent": silent,
            "rule": "N[u,v] = (silent + (told - silent) (s[u] + s[v] - s[u] s[v]) - r[u] r[v]) "
            "/ (p-q)^2, where r[u] = q + (p-q) s[u].",
        }

    def count_reports(self) -> int:
        return comb(self.mechanism.items, self.mechanism.size)

    def reports(self) -> list[list[int]]:
        sets = combinations(range(self.mechanism.items), self.mechanism.size)
        return [list(items) for items in sets]
