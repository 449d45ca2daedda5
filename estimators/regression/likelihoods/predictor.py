"""A randomized predictor: the outcome's likelihood, summed over its true values (math 16).

L = sum over v of P(report | v) pi_v(w) f(outcome | x'b + delta_v). The true value may depend on
all covariates: pi is a multinomial logit on w, and w has all columns of x.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.special import expit

from estimators.regression.likelihoods.design import Design
from estimators.regression.likelihoods.likelihood import Likelihood, blocks
from estimators.regression.likelihoods.multinomial import (
    MultinomialLikelihood,
    by_option,
    option_shares,
)
from estimators.regression.likelihoods.newton import Maximum, maximise
from estimators.shares.spread import Array

# Other starts: what the predictor does to the outcome, in its own unit.
OTHER_EFFECTS = (2.0, -2.0, 0.0)
# A maximum is higher than another if it is by this much.
HIGHER = 1e-6
_LOG_ROOT = 0.5 * np.log(2 * np.pi)


class Outcome(Protocol):
    """What is predicted: density of each row's outcome by its linear predictor."""

    @property
    def scale(self) -> float:
        """The unit in which the outcome is fitted."""

    @property
    def extras(self) -> tuple[str, ...]:
        """Names of parameters beside the coefficients."""

    def log_density(self, eta: Array, extra: Array) -> tuple[Array, Array, Array]:
        """Return log density, its derivative by eta and by the extra parameter [rows x values]."""

    def start(self, design: Array, weights: Array) -> Array:
        """Return a start for the coefficients of this design and the extra parameters."""


@dataclass(frozen=True)
class LogitOutcome:
    """A yes/no outcome, known or randomized: `no` and `yes` are P(what was seen | truth)."""

    no: Array
    yes: Array
    scale: float = 1.0
    extras: tuple[str, ...] = ()

    def log_density(self, eta: Array, extra: Array) -> tuple[Array, Array, Array]:
        share, no, more = expit(eta), self.no[:, np.newaxis], (self.yes - self.no)[:, np.newaxis]
        chance = no + more * share
        return np.log(chance), more * share * (1 - share) / chance, np.zeros_like(eta)

    def start(self, design: Array, weights: Array) -> Array:
        return np.zeros(design.shape[1])


@dataclass(frozen=True)
class NormalOutcome:
    """A number with normal errors, fitted in units of its standard deviation."""

    values: Array
    extras: tuple[str, ...] = ("log sigma",)

    @cached_property
    def scale(self) -> float:
        return float(self.values.std()) or 1.0

    def log_density(self, eta: Array, extra: Array) -> tuple[Array, Array, Array]:
        sigma = np.exp(extra[0])
        away = (self.values[:, np.newaxis] / self.scale - eta) / sigma
        density = -_LOG_ROOT - extra[0] - np.log(self.scale) - away**2 / 2
        return density, away / sigma, away**2 - 1

    def start(self, design: Array, weights: Array) -> Array:
        root = np.sqrt(weights)
        target = self.values / self.scale
        found = np.linalg.lstsq(design * root[:, np.newaxis], target * root, rcond=None)[0]
        left = weights @ (target - design @ found) ** 2 / weights.sum()
        return np.append(found, np.log(max(left, 1e-6)) / 2)


@dataclass(frozen=True)
class PredictorLikelihood(Likelihood):
    """Parameters: coefficients of x, effects of the predictors, extras of the outcome, gamma.

    `chances` [rows x values] are P(reports | true values), for all combinations of true values of
    the randomized predictors; `effects` [values x effects] says which effects a combination has.
    """

    x: Design
    w: Design
    chances: Array
    effects: Array
    outcome: Outcome

    @cached_property
    def _own(self) -> MultinomialLikelihood:
        """The predictors' own model, which does not look at the outcome."""
        return MultinomialLikelihood(self.weights, self.w, self.chances)

    @cached_property
    def _own_maximum(self) -> Maximum:
        return self._own.maximum()

    @property
    def own_value(self) -> float:
        """The log-likelihood of the predictors' reports alone."""
        return self._own_maximum.evaluation.value

    @cached_property
    def start(self) -> Array:
        gamma = self._own_maximum.t
        joint = self.chances * option_shares(self.w.z, gamma)
        posterior = joint / joint.sum(axis=1, keepdims=True)
        design = np.column_stack((self.x.z, posterior @ self.effects))
        return np.concatenate((self.outcome.start(design, self.weights), gamma))

    @cached_property
    def matrix(self) -> Array:
        size = self.outcome.scale
        return blocks(
            size * self.x.to_coefficients,
            size * np.eye(self.effects.shape[1]),
            np.eye(len(self.outcome.extras)),
            self._own.matrix,
        )

    @property
    def shift(self) -> Array:
        found = np.zeros(len(self.matrix))
        first = len(self.x.names) + self.effects.shape[1]
        found[first : first + len(self.outcome.extras)] = np.log(self.outcome.scale)
        return found

    def rows(self, t: Array) -> tuple[Array, Array]:
        b, delta, extra, gamma = self._parts(t)
        shares = option_shares(self.w.z, gamma)
        eta = (self.x.z @ b)[:, np.newaxis] + self.effects @ delta
        density, by_eta, by_extra = self.outcome.log_density(eta, extra)
        # The largest density of a row is taken out: all of them may be tiny.
        largest = density.max(axis=1)
        joint = self.chances * shares * np.exp(density - largest[:, np.newaxis])
        chance = joint.sum(axis=1)
        posterior = joint / chance[:, np.newaxis]
        slopes = posterior * by_eta
        gradient = (
            slopes.sum(axis=1)[:, np.newaxis] * self.x.z,
            slopes @ self.effects,
            (posterior * by_extra).sum(axis=1)[:, np.newaxis][:, : len(self.outcome.extras)],
            by_option((posterior - shares)[:, 1:], self.w.z),
        )
        return np.log(chance) + largest, np.column_stack(gradient)

    def maximum(self) -> Maximum:
        """Return the highest maximum from several starts, so that a lower one is not taken."""
        # The usual start, which comes first, wins a tie.
        return max(
            self._maxima, key=lambda one: (one.converged, round(one.evaluation.value / HIGHER))
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Say if the usual start leads to a lower maximum than the one that is reported."""
        if self.maximum() is self._maxima[0]:
            return ()
        return ("The likelihood has several maxima; the highest of those found is reported.",)

    @cached_property
    def _maxima(self) -> list[Maximum]:
        """Where the usual start and the others lead."""
        starts = [self.start]
        first = len(self.x.names)
        for effect in OTHER_EFFECTS:
            start = self.start.copy()
            start[first : first + self.effects.shape[1]] = effect
            if effect == 0:
                start[len(start) - len(self._own.start) :] = 0
            starts.append(start)
        return [maximise(self, start) for start in starts]

    def _parts(self, t: Array) -> tuple[Array, Array, Array, Array]:
        ends = np.cumsum([len(self.x.names), self.effects.shape[1], len(self.outcome.extras)])
        b, delta, extra, gamma = np.split(t, ends)
        return b, delta, extra, gamma
