"""What a fitted model says about the truth: means, and how they change with a covariate.

A model pairs a likelihood with the names of its parameters. `exog` has the columns of the design;
behind them a model with randomized predictors has the columns of their effects.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from estimators.regression.likelihoods.binary import BinaryLikelihood
from estimators.regression.likelihoods.design import Design
from estimators.regression.likelihoods.likelihood import Likelihood
from estimators.regression.likelihoods.multinomial import MultinomialLikelihood, option_shares
from estimators.regression.likelihoods.ordinal import OrdinalLikelihood, level_shares
from estimators.regression.likelihoods.predictor import PredictorLikelihood
from estimators.shares.spread import Array

INTERCEPT = "Intercept"


@dataclass(frozen=True)
class Model(ABC):
    """A model of the truth. `outcomes` name the columns of its means."""

    name: str
    outcomes: tuple[str, ...]

    @property
    @abstractmethod
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""

    @property
    @abstractmethod
    def exog(self) -> Design:
        """The columns that means depend on."""

    @abstractmethod
    def mean(self, theta: Array, exog: Array) -> Array:
        """Return the mean of the truth in every row: shares by outcome, or one number."""

    @abstractmethod
    def slope(self, theta: Array, exog: Array, place: int) -> Array:
        """Return the derivative of the mean by one column."""

    @property
    def are_shares(self) -> bool:
        """Whether means are shares."""
        return True

    @property
    def effects(self) -> tuple[str, ...]:
        """The names of the effects of randomized predictors."""
        return ()

    def places(self, names: Collection[str]) -> list[int]:
        """Return the places of the parameters that belong to these columns."""
        return [place for place, name in enumerate(self.parameters) if name in names]

    @property
    def slopes(self) -> list[int]:
        """The places of the parameters that the model without covariates does not have."""
        return self.places([name for name in self.exog.names if name != INTERCEPT])

    def people(self, theta: Array) -> Iterator[tuple[Array, Array]]:
        """Yield rows of exog with the chance that a row has them."""
        yield self.exog.x, np.ones(len(self.exog.x))


@dataclass(frozen=True)
class LinearModel(Model):
    """A mean that is linear in the covariates."""

    design: Design

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.design.names

    @property
    def exog(self) -> Design:
        return self.design

    @property
    def are_shares(self) -> bool:
        return False

    def mean(self, theta: Array, exog: Array) -> Array:
        return np.asarray(exog @ theta)[:, np.newaxis]

    def slope(self, theta: Array, exog: Array, place: int) -> Array:
        return np.full((len(exog), 1), theta[place])


@dataclass(frozen=True)
class LikelyModel(Model):
    """A model that is fitted by its likelihood.

    `truths` are the shares that are modelled by logits, and `scores` returns an unbiased score of
    each of them in every row.
    """

    truths: tuple[str, ...]
    scores: Callable[[], Array]

    @property
    @abstractmethod
    def likelihood(self) -> Likelihood: ...

    @abstractmethod
    def null(self) -> float:
        """Return the log-likelihood of the model without covariates."""

    def near_boundary(self, theta: Array) -> Array:
        """Return the share of each of the `truths` in every row: its logit may run away."""
        return self.mean(theta, self.exog.x)


@dataclass(frozen=True)
class BinaryModel(LikelyModel):
    """The chance of a yes."""

    fitted: BinaryLikelihood

    @property
    def likelihood(self) -> BinaryLikelihood:
        return self.fitted

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.fitted.design.names

    @property
    def exog(self) -> Design:
        return self.fitted.design

    def mean(self, theta: Array, exog: Array) -> Array:
        return np.asarray(expit(exog @ theta))[:, np.newaxis]

    def slope(self, theta: Array, exog: Array, place: int) -> Array:
        share = self.mean(theta, exog)
        return np.asarray(share * (1 - share) * theta[place])

    def null(self) -> float:
        own = self.fitted
        design = Design.constant(len(own.no))
        null = BinaryLikelihood(own.weights, design, own.no, own.yes)
        return null.maximum().evaluation.value

    def near_boundary(self, theta: Array) -> Array:
        share = self.mean(theta, self.exog.x)
        return np.column_stack((1 - share, share))


@dataclass(frozen=True)
class MultinomialModel(LikelyModel):
    """The share of each option."""

    fitted: MultinomialLikelihood

    @property
    def likelihood(self) -> MultinomialLikelihood:
        return self.fitted

    @property
    def parameters(self) -> tuple[str, ...]:
        return by_label(self.outcomes[1:], self.fitted.design.names)

    def places(self, names: Collection[str]) -> list[int]:
        columns = list(self.fitted.design.names) * (len(self.outcomes) - 1)
        return [place for place, name in enumerate(columns) if name in names]

    @property
    def exog(self) -> Design:
        return self.fitted.design

    def mean(self, theta: Array, exog: Array) -> Array:
        return option_shares(exog, theta)

    def slope(self, theta: Array, exog: Array, place: int) -> Array:
        shares = self.mean(theta, exog)
        own = np.append(0.0, theta.reshape(-1, exog.shape[1])[:, place])
        return np.asarray(shares * (own - (shares @ own)[:, np.newaxis]))

    def null(self) -> float:
        own = self.fitted
        design = Design.constant(len(own.chances))
        null = MultinomialLikelihood(own.weights, design, own.chances)
        return null.maximum().evaluation.value


@dataclass(frozen=True)
class OrdinalModel(LikelyModel):
    """The share of each level."""

    fitted: OrdinalLikelihood

    @property
    def likelihood(self) -> OrdinalLikelihood:
        return self.fitted

    @property
    def parameters(self) -> tuple[str, ...]:
        ends = zip(self.outcomes, self.outcomes[1:], strict=False)
        return (*self.fitted.design.names, *(f"{low}|{high}" for low, high in ends))

    @property
    def exog(self) -> Design:
        return self.fitted.design

    def _below(self, theta: Array, exog: Array) -> Array:
        count = exog.shape[1]
        below: Array = expit(theta[count:] - (exog @ theta[:count])[:, np.newaxis])
        return below

    def mean(self, theta: Array, exog: Array) -> Array:
        return level_shares(self._below(theta, exog))

    def slope(self, theta: Array, exog: Array, place: int) -> Array:
        below = self._below(theta, exog)
        edge = np.zeros((len(exog), 1))
        steep = np.column_stack((edge, below * (1 - below), edge))
        return np.asarray(-theta[place] * np.diff(steep, axis=1))

    def null(self) -> float:
        own = self.fitted
        design = Design((), np.empty((len(own.chances), 0)))
        return OrdinalLikelihood(own.weights, design, own.chances).maximum().evaluation.value


@dataclass(frozen=True)
class PredictorModel(LikelyModel):
    """A yes/no outcome or a number, by covariates and the truth of randomized predictors."""

    fitted: PredictorLikelihood
    # Names of the effects, and of each combination of true values but the first.
    effect_names: tuple[str, ...]
    combinations: tuple[str, ...]

    @property
    def effects(self) -> tuple[str, ...]:
        return self.effect_names

    @property
    def likelihood(self) -> PredictorLikelihood:
        return self.fitted

    @property
    def parameters(self) -> tuple[str, ...]:
        own = by_label(self.combinations, self.fitted.w.names)
        return (*self.fitted.x.names, *self.effects, *self.fitted.outcome.extras, *own)

    @property
    def are_shares(self) -> bool:
        return not self.fitted.outcome.extras

    @property
    def exog(self) -> Design:
        none = np.zeros((len(self.fitted.x.x), len(self.effects)))
        names = (*self.fitted.x.names, *self.effects)
        return Design(names, np.column_stack((self.fitted.x.x, none)))

    def mean(self, theta: Array, exog: Array) -> Array:
        eta = exog @ theta[: exog.shape[1]]
        return np.asarray(expit(eta) if self.are_shares else eta)[:, np.newaxis]

    def slope(self, theta: Array, exog: Array, place: int) -> Array:
        mean = self.mean(theta, exog)
        return np.asarray(theta[place] * (mean * (1 - mean) if self.are_shares else mean**0))

    def people(self, theta: Array) -> Iterator[tuple[Array, Array]]:
        shares = self._own_shares(theta)
        for value, effects in enumerate(self.fitted.effects):
            each = np.broadcast_to(effects, (len(shares), len(effects)))
            yield np.column_stack((self.fitted.x.x, each)), shares[:, value]

    def null(self) -> float:
        return self.fitted.own_value + self._outcome_alone()

    def _outcome_alone(self) -> float:
        """Return the log-likelihood of the outcome without any covariate."""
        own = self.fitted
        design = Design.constant(len(own.chances))
        alone = PredictorLikelihood(
            *(own.weights, design, design, np.ones((len(own.chances), 1))),
            *(np.zeros((1, 0)), own.outcome),
        )
        return alone.maximum().evaluation.value

    def near_boundary(self, theta: Array) -> Array:
        return self._own_shares(theta)

    def _own_shares(self, theta: Array) -> Array:
        count = len(self.fitted.w.names) * len(self.combinations)
        return option_shares(self.fitted.w.x, theta[len(theta) - count :])


def by_label(labels: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of parameters that every label has for every column."""
    return tuple(f"{label}: {name}" for label in labels for name in names)
