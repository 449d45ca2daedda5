"""95 % intervals of cumulative shares from random thresholds, by the likelihood ratio (math 4).

Of the reports about threshold v + 1, the part lam_v = q + (p - q) F(v) is expected to say no. F
never falls, so neighbouring thresholds say something about each other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from scipy.optimize import brentq

from estimators.ordinal.cumulative import CUT, SearchedLimits
from estimators.shares.possible import isotonic
from estimators.shares.spread import Array

TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class RisingFit(SearchedLimits):
    """The likeliest F that never falls; its limits are where the likelihood has fallen by CUT."""

    no: Array
    asked: Array
    p: float
    q: float

    @property
    def top(self) -> int:
        return len(self.no)

    @cached_property
    def fitted(self) -> Array:
        """F(v) for v = 0 .. top - 1."""
        return (self._likeliest - self.q) / (self.p - self.q)

    @cached_property
    def _likeliest(self) -> Array:
        return np.clip(self._pooled(slice(None)), self.q, self.p)

    def _pooled(self, part: slice) -> Array:
        """Return the shares of no that never fall; half of them where nobody was asked."""
        no, asked = self.no[part], self.asked[part]
        shares = np.divide(no, asked, out=np.full(len(no), 0.5), where=asked > 0)
        return isotonic(shares, asked)

    def find_low(self, level: int) -> float:
        return self._end(level, 0.0)

    def find_high(self, level: int) -> float:
        return self._end(level, 1.0)

    def _end(self, level: int, bound: float) -> float:
        """Return the share between the fitted one and a bound at which the deviance is CUT."""
        deviance = self._deviance(level)

        def excess(share: float) -> float:
            return sqrt(max(deviance(share), 0.0)) - sqrt(CUT)

        if excess(bound) <= 0:
            return bound
        return float(brentq(excess, float(self.fitted[level]), bound, xtol=TOLERANCE))

    def _deviance(self, level: int) -> Callable[[float], float]:
        """Return how much less likely the reports are, twice in logarithms, by the share F(v).

        With lam_v given, what is left of it is fitted alone and clipped to q .. lam_v, and what is
        right of it to lam_v .. p.
        """
        left, right = self._pooled(slice(0, level)), self._pooled(slice(level + 1, None))
        best = self._log_likelihood(self._likeliest)

        def deviance(share: float) -> float:
            lam = self.q + (self.p - self.q) * share
            parts = (np.clip(left, self.q, lam), [lam], np.clip(right, lam, self.p))
            return 2 * (best - self._log_likelihood(np.concatenate(parts)))

        return deviance

    def _log_likelihood(self, lam: Array) -> float:
        return float(self.no @ np.log(lam) + (self.asked - self.no) @ np.log1p(-lam))
