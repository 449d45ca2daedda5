"""One of a long list by Hadamard response: everything by Walsh-Hadamard transforms (math 2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from client.core.mechanisms import HadamardResponse
from estimators.counting.tally import Tally
from estimators.mechanisms.analysis import ChoiceAnalysis, CovarianceRule
from estimators.shares.spread import Array, noise_per_respondent
from estimators.shares.support import Support, walsh_hadamard


@dataclass(frozen=True)
class HadamardResponseAnalysis(ChoiceAnalysis[HadamardResponse]):
    """A report supports the options whose rows are +1 in its column."""

    rule = (
        "A report is a number z from 0 to `cells` - 1. It supports option v if z & (v + 1) has "
        "an even number of one-bits. With probability T/2^32 z is drawn evenly from those that "
        "support the truth, else from those that do not."
    )

    @property
    def _used(self) -> slice:
        """The rows of the options: option v has row v + 1."""
        return slice(1, self.mechanism.options + 1)

    def _rows(self, values: Array) -> Array:
        """Place the options' values at their rows of the Hadamard matrix."""
        rows = np.zeros((self.mechanism.columns, *values.shape[1:]))
        rows[self._used] = values
        return rows

    def support(self, tally: Tally) -> Support:
        # Row v + 1 is +1 in the columns that support option v and -1 in all others.
        reported = (tally.n + walsh_hadamard(self.cells(tally))[self._used]) // 2
        return Support(reported, np.full(len(reported), tally.n))

    def supports(self, reports: Sequence[Any]) -> Array:
        columns = np.array(reports, dtype=np.int64)
        shared = np.bitwise_and.outer(columns, np.arange(1, self.mechanism.options + 1))
        return 1.0 - np.bitwise_count(shared) % 2

    def count_supporting(self) -> int:
        return self.mechanism.columns // 2

    def noise_times(self, shares: Array, targets: Array) -> Array:
        """Return the covariance times the targets, by a xor-convolution.

        Cov(u, v) = pi_t / alpha, where t + 1 = (u + 1) xor (v + 1).
        """
        m = self.mechanism
        pi = shares.reshape(-1, *[1] * (targets.ndim - 1))
        product = walsh_hadamard(self._rows(pi)) * walsh_hadamard(self._rows(targets))
        mixed = walsh_hadamard(product)[self._used] / m.columns
        own = noise_per_respondent(pi, float(m.p), float(m.q)) * targets
        return own + mixed / float(2 * m.alpha)

    def noise_with(self, shares: Array, option: int) -> Array:
        """Look the covariances up: one option needs no transform."""
        m = self.mechanism
        other = (np.arange(len(shares)) + 1) ^ (option + 1)
        pi = np.zeros(m.columns)
        pi[self._used] = shares
        row: Array = pi[other] / float(2 * m.alpha)
        row[option] = noise_per_respondent(float(shares[option]), float(m.p), float(m.q))
        return row

    def far_from_both(self) -> Fraction:
        """Return half of the columns that are far from one row: two rows agree in half of all."""
        return Fraction(1, 2)

    def pair_rule(self) -> CovarianceRule:
        return {
            "rule": "N[u,v] = s[t] / (2 (p-q)), where t + 1 = (u + 1) xor (v + 1); "
            "0 if there is no option t."
        }
