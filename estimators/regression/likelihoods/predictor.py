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

    def bends(self, eta: Array, extra: Array) -> tuple[Array, Array, Array]:
        """Return the second derivatives: by eta, by eta and extra, by extra [rows x values]."""

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

    def bends(self, eta: Array, extra: Array) -> tuple[Array, Array, Array]:
        _, slope, none = self.log_density(eta, extra)
        return slope * (1 - 2 * expit(eta) - slope), none, none

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

    def bends(self, eta: Array, extra: Array) -> tuple[Array, Array, Array]:
        sigma = np.exp(extra[0])
        away = (self.values[:, np.newaxis] / self.scale - eta) / sigma
        return np.full_like(eta, -1 / sigma**2), -2 * away / sigma, -2 * away**2

    def start(self, design: Array, weights: Array) -> Array:
        root = np.sqrt(weights)
        target = self.values / self.scale
        found = np.linalg.lstsq(design * root[:, np.newaxis], target * root, rcond=None)[0]
        left = weights @ (target - design @ found) ** 2 / weights.sum()
        return np.append(found, np.log(max(left, 1e-6)) / 2)


@dataclass(frozen=True)
class _Posterior:
    """Log-likelihood of each row; shares before and after it was seen; derivatives by value."""

    values: Array
    shares: Array
    posterior: Array
    by_eta: Array
    by_extra: Array
    bends: tuple[Array, Array, Array]


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
        here = self._posterior(t)
        mean = sum(
            here.posterior[:, [value]] * self._outcome_scores(here, value)
            for value in range(len(self.effects))
        )
        own = by_option((here.posterior - here.shares)[:, 1:], self.w.z)
        return here.values, np.column_stack((mean, own))

    def information(self, t: Array) -> Array:
        """Return minus the mean second derivatives given the truth, and minus its spread.

        Given the report, the truth is uncertain: the information that it would have given in
        addition is the variance of the gradient over its possible values.
        """
        here = self._posterior(t)
        values = range(len(self.effects))
        scores = [self._outcome_scores(here, value) for value in values]
        mean = sum(here.posterior[:, [value]] * scores[value] for value in values)
        outer = sum(self._bends(here, value) for value in values)
        cross = []
        for value in values:
            weight = (self.weights * here.posterior[:, value])[:, np.newaxis]
            away = scores[value] - mean
            outer = outer + (weight * away).T @ away
            if value:
                cross.append((weight * away).T @ self.w.z)
        first = len(t) - len(self._own.start)
        found = np.empty((len(t), len(t)))
        found[:first, :first] = -outer
        found[:first, first:] = -np.column_stack(cross) if cross else 0.0
        found[first:, :first] = found[:first, first:].T
        found[first:, first:] = self._own.spread(here.shares, here.posterior)
        return found

    def _posterior(self, t: Array) -> "_Posterior":
        """Return what each row says about its true values at these parameters."""
        b, delta, extra, gamma = self._parts(t)
        shares = option_shares(self.w.z, gamma)
        eta = (self.x.z @ b)[:, np.newaxis] + self.effects @ delta
        density, by_eta, by_extra = self.outcome.log_density(eta, extra)
        # The largest density of a row is taken out: all of them may be tiny.
        largest = density.max(axis=1)
        joint = self.chances * shares * np.exp(density - largest[:, np.newaxis])
        chance = joint.sum(axis=1)
        posterior = joint / chance[:, np.newaxis]
        return _Posterior(
            *(np.log(chance) + largest, shares, posterior, by_eta, by_extra),
            self.outcome.bends(eta, extra),
        )

    def _outcome_scores(self, here: "_Posterior", value: int) -> Array:
        """Return the gradient by coefficients, effects and extras if this is the truth."""
        extras = here.by_extra[:, [value]][:, : len(self.outcome.extras)]
        return np.column_stack((here.by_eta[:, [value]] * self._design(value), extras))

    def _design(self, value: int) -> Array:
        """Return the columns that multiply coefficients and effects if this is the truth."""
        each = np.broadcast_to(self.effects[value], (len(self.x.x), self.effects.shape[1]))
        return np.column_stack((self.x.z, each))

    def _bends(self, here: "_Posterior", value: int) -> Array:
        """Return the second derivatives of the outcome's part, times the chance of this truth."""
        weight = self.weights * here.posterior[:, value]
        by_eta, mixed, by_extra = (weight * part[:, value] for part in here.bends)
        design = self._design(value)
        count, more = design.shape[1], len(self.outcome.extras)
        found = np.zeros((count + more, count + more))
        found[:count, :count] = design.T @ (by_eta[:, np.newaxis] * design)
        if more:
            found[count, :count] = found[:count, count] = mixed @ design
            found[count, count] = by_extra.sum()
        return found

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
        usual = maximise(self, self.start)
        if not self._own_maximum.converged:
            # Some true value has no share of its own: other starts would fare no better.
            return [usual]
        starts = []
        first = len(self.x.names)
        for effect in OTHER_EFFECTS:
            start = self.start.copy()
            start[first : first + self.effects.shape[1]] = effect
            if effect == 0:
                start[len(start) - len(self._own.start) :] = 0
            starts.append(start)
        return [usual, *(maximise(self, start) for start in starts)]

    def _parts(self, t: Array) -> tuple[Array, Array, Array, Array]:
        ends = np.cumsum([len(self.x.names), self.effects.shape[1], len(self.outcome.extras)])
        b, delta, extra, gamma = np.split(t, ends)
        return b, delta, extra, gamma
