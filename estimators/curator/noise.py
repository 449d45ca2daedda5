"""The noise of a trusted curator on counts and sums: discrete Laplace, exact Gaussian (math 10).

Only the discrete Laplace noise is ever added to answers; the Gaussian is a formula to plan with.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np
from scipy import optimize, special

from client.core.primitives.refusal import require
from client.core.primitives.words import Words
from estimators.curator.neighbours import Sensitivity, check_positive
from estimators.curator.sampling import discrete_laplace


@dataclass(frozen=True)
class DiscreteLaplace:
    """Integer noise z with probability proportional to exp(-|z| epsilon/sensitivity).

    `sensitivity` is how far neighbours can move all figures together, in whole steps.
    """

    epsilon: Decimal
    sensitivity: int

    def __post_init__(self) -> None:
        check_positive(float(self.epsilon), "epsilon")
        require(
            type(self.sensitivity) is int and self.sensitivity >= 1,
            "bad_sensitivity",
            "sensitivity",
            sensitivity=self.sensitivity,
        )

    @property
    def rate(self) -> Fraction:
        return Fraction(self.epsilon) / self.sensitivity

    @property
    def noise_variance(self) -> float:
        """The variance of every published figure: 2q/(1-q)^2 with q = exp(-rate)."""
        return 0.5 / math.sinh(float(self.rate) / 2) ** 2

    def largest_error(self, figures: int, failure: float) -> int:
        """Return the smallest error that no figure exceeds, except with probability `failure`.

        By the union bound with P(|z| > error) = 2 q^(error+1)/(1+q), q = exp(-rate).
        """
        check_probability(failure, "failure")
        q = math.exp(-float(self.rate))
        beyond = math.log(2 * figures / (failure * (1 + q))) / float(self.rate)
        return max(0, math.ceil(beyond) - 1)

    def publish(self, figures: Iterable[int], words: Words) -> tuple[int, ...]:
        """Return the figures, each with its own noise."""
        return tuple(figure + discrete_laplace(words, self.rate) for figure in figures)


@dataclass(frozen=True)
class Gaussian:
    """Normal noise just large enough for (epsilon, delta), by solving the exact condition."""

    epsilon: float
    delta: float
    sensitivity: Sensitivity

    def __post_init__(self) -> None:
        check_positive(self.epsilon, "epsilon")
        check_probability(self.delta, "delta")

    @cached_property
    def scale(self) -> float:
        """The standard deviation of the noise."""

        def excess(log_ratio: float) -> float:
            return log_delta(self.epsilon, math.exp(log_ratio)) - math.log(self.delta)

        # More noise always lowers delta; at the start half of all privacy losses exceed epsilon.
        low = high = -math.log(2 * self.epsilon) / 2
        while excess(low) < 0:
            low, high = low - 1, low
        while excess(high) > 0:
            low, high = high, high + 1
        return math.exp(optimize.brentq(excess, low, high)) * self.sensitivity.euclidean

    def largest_error(self, figures: int, failure: float) -> float:
        """Return the error that no figure exceeds, except with probability `failure`.

        By the union bound.
        """
        check_probability(failure, "failure")
        return self.scale * float(-special.ndtri(failure / (2 * figures)))


def log_delta(epsilon: float, ratio: float) -> float:
    """Return log(delta) of Gaussian noise that is `ratio` times the sensitivity, exactly (math 10).

    This is the logarithm of Phi(1/2r - eps r) - e^eps Phi(-1/2r - eps r), written so that a huge
    epsilon does not overflow and a tiny delta does not drown in the rounding of the two terms. The
    remaining rounding error is about 1e-16 times the ratio.
    """
    near = special.log_ndtr(0.5 / ratio - epsilon * ratio)
    far = special.log_ndtr(-0.5 / ratio - epsilon * ratio)
    with np.errstate(divide="ignore"):  # A delta below all rounding is 0, its logarithm -inf.
        return float(near + np.log(-np.expm1(min(epsilon + far - near, 0.0))))


def check_probability(value: float, name: str) -> float:
    """Raise unless the value is a probability above 0 and below 1; return it."""
    require(
        isinstance(value, float) and 0 < value < 1, f"bad_{name}.probability", name, value=value
    )
    return value
