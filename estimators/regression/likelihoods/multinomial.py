"""A truth of k options: multinomial logit against the first (math 16)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from estimators.regression.likelihoods.design import Design
from estimators.regression.likelihoods.likelihood import Likelihood, blocks
from estimators.shares.spread import Array


@dataclass(frozen=True)
class MultinomialLikelihood(Likelihood):
    """Reports with `chances` [rows x options]; parameters by option, then by column."""

    design: Design
    chances: Array

    @property
    def start(self) -> Array:
        return np.zeros(len(self.design.names) * (self.chances.shape[1] - 1))

    @property
    def matrix(self) -> Array:
        return blocks(*[self.design.to_coefficients] * (self.chances.shape[1] - 1))

    def rows(self, t: Array) -> tuple[Array, Array]:
        shares, posterior, values = self._shares(t)
        return values, by_option((posterior - shares)[:, 1:], self.design.z)

    def information(self, t: Array) -> Array:
        shares, posterior, _ = self._shares(t)
        return self.spread(shares, posterior)

    def spread(self, shares: Array, posterior: Array) -> Array:
        """Return prior minus posterior covariance of the truth, times the squared design."""
        z, count, options = self.design.z, len(self.design.names), self.chances.shape[1] - 1
        found = np.empty((options, count, options, count))
        prior, after = shares[:, 1:], posterior[:, 1:]
        for one in range(options):
            for other in range(one, options):
                covariance = after[:, one] * after[:, other] - prior[:, one] * prior[:, other]
                if one == other:
                    covariance = covariance + prior[:, one] - after[:, one]
                part = z.T @ ((self.weights * covariance)[:, np.newaxis] * z)
                found[one, :, other], found[other, :, one] = part, part.T
        return found.reshape(options * count, options * count)

    def _shares(self, t: Array) -> tuple[Array, Array, Array]:
        """Return shares before and after the report, and the log-likelihood, of every row."""
        shares = option_shares(self.design.z, t)
        joint = self.chances * shares
        chance = joint.sum(axis=1)
        return shares, joint / chance[:, np.newaxis], np.log(chance)


def option_shares(x: Array, coefficients: Array) -> Array:
    """Return the share of every option in every row; the first option's logit is 0."""
    eta = x @ coefficients.reshape(-1, x.shape[1]).T
    shares: Array = softmax(np.column_stack((np.zeros(len(x)), eta)), axis=1)
    return shares


def by_option(factors: Array, x: Array) -> Array:
    """Return the products of every factor with every column: by factor, then by column."""
    return (factors[:, :, np.newaxis] * x[:, np.newaxis, :]).reshape(len(x), -1)
