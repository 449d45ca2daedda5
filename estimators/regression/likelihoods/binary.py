"""A yes/no truth: logit of its chance is linear (math 16)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from estimators.regression.likelihoods.design import Design
from estimators.regression.likelihoods.likelihood import Likelihood
from estimators.regression.likelihoods.newton import Evaluation
from estimators.shares.spread import Array


@dataclass(frozen=True)
class BinaryLikelihood(Likelihood):
    """Reports with chances `no` and `yes`, P(report | truth), by the columns of a design."""

    design: Design
    no: Array
    yes: Array

    @property
    def start(self) -> Array:
        return np.zeros(len(self.design.names))

    @property
    def matrix(self) -> Array:
        return self.design.to_coefficients

    def rows(self, t: Array) -> tuple[Array, Array]:
        values, slopes, _ = _by_row(self.design.z @ t, self.no, self.yes)
        return values, self.design.z * slopes[:, np.newaxis]

    def evaluate(self, t: Array) -> Evaluation:
        """Return value, gradient and information, a block of rows at a time."""
        value, gradient = 0.0, np.zeros(len(t))
        information = np.zeros((len(t), len(t)))
        for part in self.design.parts():
            z, weights = self.design.z[part], self.weights[part]
            values, slopes, curves = _by_row(z @ t, self.no[part], self.yes[part])
            value += float(weights @ values)
            gradient += (weights * slopes) @ z
            information += z.T @ ((weights * curves)[:, np.newaxis] * z)
        if not np.isfinite(value):
            return Evaluation(-np.inf, gradient, np.eye(len(t)))
        return Evaluation(value, gradient, information)


def _by_row(eta: Array, no: Array, yes: Array) -> tuple[Array, Array, Array]:
    """Return log-likelihood, its derivative by eta, and minus the second derivative."""
    share = expit(eta)
    chance = no + (yes - no) * share
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (yes - no) * share * (1 - share) / chance
        return np.log(chance), slope, slope * (slope - (1 - 2 * share))
