"""One of k by subset selection: covariances are linear in the shares (math 2.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from client.core.mechanisms import SubsetSelection
from estimators.mechanisms.analysis import ChoiceAnalysis, CovarianceRule, members
from estimators.shares.covariance import pair_noise, pairs_times
from estimators.shares.spread import Array

PAIR_RULE = "N[u,v] = silent + (told - silent) (s[u] + s[v])."


@dataclass(frozen=True)
class SubsetSelectionAnalysis(ChoiceAnalysis[SubsetSelection]):
    """A report supports the options in its set."""

    rule = (
        "A report is a sorted set of `size` of the `options` options. With probability T/2^32 it "
        "is drawn evenly from the sets that hold the truth, else from those that do not."
    )

    def supports(self, reports: Sequence[Any]) -> Array:
        return members(reports, self.mechanism.options)

    def count_supporting(self) -> int:
        return comb(self.mechanism.options - 1, self.mechanism.size - 1)

    def pair_noise(self) -> tuple[float, float]:
        """Return the noise covariance of two options if one is the truth, and if neither is."""
        m = self.mechanism
        return pair_noise(m.options, m.size, float(m.p), float(m.q))

    def noise_times(self, shares: Array, targets: Array) -> Array:
        p, q = float(self.mechanism.p), float(self.mechanism.q)
        return pairs_times(self.pair_noise(), p, q, shares, targets)

    def far_from_both(self) -> Fraction:
        """Return C(k-2, w), where `far` is k - w instead of C(k-1, w)."""
        far, options = self.mechanism.far, self.mechanism.options
        return Fraction(far * (far - 1), options - 1)

    def pair_rule(self) -> CovarianceRule:
        told, silent = self.pair_noise()
        return {"told": told, "silent": silent, "rule": PAIR_RULE}

    def count_reports(self) -> int:
        return comb(self.mechanism.options, self.mechanism.size)

    def reports(self) -> list[list[int]]:
        sets = combinations(range(self.mechanism.options), self.mechanism.size)
        return [list(items) for items in sets]
