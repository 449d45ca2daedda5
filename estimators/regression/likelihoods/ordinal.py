"""A truth of ordered levels: P(truth <= j) = expit(threshold j - x'b) (math 16)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, logit

from estimators.regression.likelihoods.design import Design
from estimators.regression.likelihoods.likelihood import Likelihood
from estimators.shares.spread import Array


@dataclass(frozen=True)
class OrdinalLikelihood(Likelihood):
    """Reports with `chances` [rows x levels]; coefficients, then thresholds.

    The design has no constant: the thresholds are one.
    """

    design: Design
    chances: Array

    @cached_property
    def _centred(self) -> Design:
        return Design(self.design.names, self.design.x - self.design.x.mean(axis=0))

    @property
    def start(self) -> Array:
        levels = self.chances.shape[1]
        even = np.arange(1, levels) / levels
        return np.concatenate((np.zeros(len(self.design.names)), logit(even)))

    @cached_property
    def matrix(self) -> Array:
        # Centred columns move the thresholds by the mean of x'b.
        count, inner = len(self.design.names), self.chances.shape[1] - 1
        found = np.eye(count + inner)
        found[:count, :count] = self._centred.to_coefficients
        found[count:, :count] = self.design.x.mean(axis=0) @ self._centred.to_coefficients
        return found

    def rows(self, t: Array) -> tuple[Array, Array]:
        values, slopes, _ = self._by_threshold(t)
        by_column = -slopes.sum(axis=1)[:, np.newaxis] * self._centred.z
        return values, np.column_stack((by_column, slopes))

    def information(self, t: Array) -> Array:
        _, slopes, bends = self._by_threshold(t)
        z, weights, total = self._centred.z, self.weights, slopes.sum(axis=1)
        count = z.shape[1]
        found = np.empty((len(t), len(t)))
        squared = weights * (total**2 - bends.sum(axis=1))
        found[:count, :count] = z.T @ (squared[:, np.newaxis] * z)
        mixed = weights[:, np.newaxis] * (bends - slopes * total[:, np.newaxis])
        found[:count, count:] = z.T @ mixed
        found[count:, :count] = found[:count, count:].T
        found[count:, count:] = (weights[:, np.newaxis] * slopes).T @ slopes
        found[count:, count:] -= np.diag(weights @ bends)
        return found

    def _by_threshold(self, t: Array) -> tuple[Array, Array, Array]:
        """Return the log-likelihood, and its two derivatives by threshold - x'b."""
        count = len(self.design.names)
        below = expit(t[count:] - (self._centred.z @ t[:count])[:, np.newaxis])
        chance = (level_shares(below) * self.chances).sum(axis=1)
        jumps = (self.chances[:, :-1] - self.chances[:, 1:]) / chance[:, np.newaxis]
        slopes = below * (1 - below) * jumps
        if (np.diff(t[count:]) <= 0).any():  # no distribution
            chance = np.zeros(len(chance))
        return np.log(chance), slopes, slopes * (1 - 2 * below)


def level_shares(below: Array) -> Array:
    """Return the share of every level from the shares of those up to each level but the last."""
    ends = np.zeros((len(below), 1)), np.ones((len(below), 1))
    return np.diff(np.column_stack((ends[0], below, ends[1])), axis=1)
