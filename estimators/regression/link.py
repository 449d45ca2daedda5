"""statsmodels' family for reports: the link that leads from a report's chance to the truth's."""

from typing import Any

import numpy as np
from scipy.special import expit, logit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.families.links import Logit

from estimators.shares.spread import Array


class TruthLink(Logit):  # type: ignore[misc]
    """The truth's logit: lam = q + (p - q) expit(eta), p and q the chances of a one by row."""

    def __init__(self, p: Array, q: Array) -> None:
        self.p = p
        self.q = q

    def __call__(self, lam: Array) -> Array:
        """Return eta; a chance beyond what noise allows is taken as the nearest that it does."""
        share = (lam - self.q) / (self.p - self.q)
        return np.asarray(logit(np.clip(share, 1e-12, 1 - 1e-12)))

    def inverse(self, eta: Array) -> Array:
        return np.asarray(self.q + (self.p - self.q) * expit(eta))

    def inverse_deriv(self, eta: Array) -> Array:
        share = expit(eta)
        return np.asarray((self.p - self.q) * share * (1 - share))

    def inverse_deriv2(self, eta: Array) -> Array:
        return np.asarray(self.inverse_deriv(eta) * (1 - 2 * expit(eta)))

    def deriv(self, lam: Array) -> Array:
        return 1 / self.inverse_deriv(self(lam))

    def deriv2(self, lam: Array) -> Array:
        eta = self(lam)
        return -self.inverse_deriv2(eta) / self.inverse_deriv(eta) ** 3


def reports_family(no: Array, yes: Array) -> tuple[Array, Any]:
    """Return the reports as zeros and ones, and their binomial family.

    A report is a one if a yes makes it more likely. Its chances and those of its opposite are the
    channel of the row.
    """
    ones = yes > no
    p, q = np.where(ones, yes, 1 - yes), np.where(ones, no, 1 - no)
    return ones.astype(np.float64), Binomial(link=TruthLink(p, q))
