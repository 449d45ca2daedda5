"""Predicted shares and average marginal effects, with errors by the delta method (math 16)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from estimators.confidence import CONFIDENCE
from estimators.regression.fitting import Estimated
from estimators.regression.models import INTERCEPT, Model
from estimators.shares.intervals import normal_quantile
from estimators.shares.spread import Array

# Derivatives by the parameters are differences over steps of this size, in standard errors.
DIFFERENCE = 1e-4


@dataclass(frozen=True)
class Predicted:
    """Means of the truth with errors [rows x outcomes]."""

    outcomes: tuple[str, ...]
    mean: Array
    error: Array
    are_shares: bool

    def interval(self, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
        """Return the ends of the intervals; those of shares are symmetric in the logit."""
        half = normal_quantile(confidence) * self.error
        if not self.are_shares:
            return self.mean - half, self.mean + half
        inner = np.clip(self.mean, 1e-300, 1 - 1e-16)
        middle, half = logit(inner), half / (inner * (1 - inner))
        return np.asarray(expit(middle - half)), np.asarray(expit(middle + half))


def predictions(fitted: Estimated, exog: Array) -> Predicted:
    """Predict the truth in each of these rows."""
    model = fitted.model
    mean, error = _delta(fitted, lambda theta: model.mean(theta, exog))
    return Predicted(model.outcomes, mean, error, model.are_shares)


def mean_prediction(fitted: Estimated, weights: Array) -> Predicted:
    """Predict the mean of the truth over all rows; its error is that of the parameters."""
    mean, error = _delta(
        fitted, lambda theta: _over_people(fitted.model, theta, weights, fitted.model.mean)
    )
    return Predicted(fitted.model.outcomes, mean[None], error[None], fitted.model.are_shares)


@dataclass(frozen=True)
class Margins:
    """Average marginal effects [columns x outcomes]: what one more of a covariate does."""

    names: tuple[str, ...]
    outcomes: tuple[str, ...]
    discrete: tuple[bool, ...]
    margeff: Array
    margeff_se: Array

    def interval(self, confidence: float = CONFIDENCE) -> tuple[Array, Array]:
        """Return the ends of the intervals."""
        half = normal_quantile(confidence) * self.margeff_se
        return self.margeff - half, self.margeff + half


def marginal_effects(
    fitted: Estimated, weights: Array, siblings: Mapping[str, tuple[str, ...]], discrete: bool
) -> Margins:
    """Average over all rows the change of the mean by each column.

    With `discrete`, a column of zeros and ones changes from 0 to 1; the other columns of its term,
    its `siblings`, are then 0.
    """
    model = fitted.model
    design = model.exog
    names = [name for name in design.names if name != INTERCEPT]
    steps = []
    jumps = []
    for name in names:
        place = design.names.index(name)
        own = siblings.get(name, ())
        jump = discrete and (_is_bit(design.x[:, place]) or name in model.effects)
        others = [design.names.index(other) for other in own if other != name]
        jumps.append(jump)
        steps.append(_jump(model, place, others) if jump else _slope(model, place))

    def effects(theta: Array) -> Array:
        return np.array([_over_people(model, theta, weights, step) for step in steps])

    mean, error = _delta(fitted, effects)
    return Margins(tuple(names), model.outcomes, tuple(jumps), mean, error)


ByRow = Callable[[Array, Array], Array]


def _jump(model: Model, place: int, others: list[int]) -> ByRow:
    def change(theta: Array, exog: Array) -> Array:
        low = exog.copy()
        low[:, [place, *others]] = 0
        high = low.copy()
        high[:, place] = 1
        return model.mean(theta, high) - model.mean(theta, low)

    return change


def _slope(model: Model, place: int) -> ByRow:
    return lambda theta, exog: model.slope(theta, exog, place)


def _over_people(model: Model, theta: Array, weights: Array, figure: ByRow) -> Array:
    """Return the weighted mean of a figure over all rows and what they may be."""
    total = (
        sum((weights * chance) @ figure(theta, exog) for exog, chance in model.people(theta))
        / weights.sum()
    )
    return np.asarray(total)


def _is_bit(column: Array) -> bool:
    return bool(np.isin(column, (0.0, 1.0)).all())


def _delta(fitted: Estimated, function: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Return a function of the parameters and its standard error."""
    theta = fitted.theta
    sizes = DIFFERENCE * np.sqrt(np.diag(fitted.covariance))
    value = function(theta)
    slopes = []
    for place, size in enumerate(sizes):
        step = np.zeros(len(theta))
        step[place] = size
        slopes.append((function(theta + step) - function(theta - step)) / (2 * size))
    jacobian = np.stack(slopes, axis=-1)
    variance = np.einsum("...i,ij,...j->...", jacobian, fitted.covariance, jacobian)
    return value, np.sqrt(np.maximum(variance, 0))
