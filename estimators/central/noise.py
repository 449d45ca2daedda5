"""Counts and sums with noise added by a trusted curator: Laplace and exact Gaussian (math 10)."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import optimize, special

from client.core.primitives.refusal import require
from estimators.central.neighbours import Sensitivity, check_positive
from estimators.shares.spread import Array, Counts
from estimators.simulation.kernels.source import Source


@dataclass(frozen=True)
class Laplace:
    """Noise with density proportional to exp(-|x|/scale): no failure probability."""

    epsilon: float
    sensitivity: Sensitivity

    def __post_init__(self) -> None:
        check_positive(self.epsilon, "epsilon")

    @property
    def scale(self) -> float:
        return self.sensitivity.absolute / self.epsilon

    @property
    def noise_variance(self) -> float:
        """Of every published figure."""
        return 2 * self.scale**2

    def largest_error(self, figures: int, failure: float) -> float:
        """No figure is off by more, except with probability `failure`: scale ln(k/failure)."""
        return self.scale * math.log(figures / check_probability(failure, "failure"))

    def publish(self, figures: Array | Counts, source: Source) -> Array:
        """Simulated: the figures as the curator would print them."""
        return figures + source.laplace(0, self.scale, np.shape(figures))


@dataclass(frozen=True)
class Gaussian:
    """Normal noise just large enough for (epsilon, delta): the exact condition is solved."""

    epsilon: float
    delta: float
    sensitivity: Sensitivity

    def __post_init__(self) -> None:
        check_positive(self.epsilon, "epsilon")
        check_probability(self.delta, "delta")

    @cached_property
    def scale(self) -> float:
        """The standard deviation."""

        def excess(log_ratio: float) -> float:
            return log_delta(self.epsilon, math.exp(log_ratio)) - math.log(self.delta)

        # More noise always lowers delta; at the start half of all privacy losses exceed epsilon.
        low = high = -math.log(2 * self.epsilon) / 2
        while excess(low) < 0:
            low, high = low - 1, low
        while excess(high) > 0:
            low, high = high, high + 1
        return math.exp(optimize.brentq(excess, low, high)) * self.sensitivity.euclidean

    @property
    def noise_variance(self) -> float:
        """Of every published figure."""
        return self.scale**2

    def publish(self, figures: Array | Counts, source: Source) -> Array:
        """Simulated: the figures as the curator would print them."""
        return figures + source.normal(0, self.scale, np.shape(figures))


def log_delta(epsilon: float, ratio: float) -> float:
    """Of Gaussian noise `ratio` times the sensitivity, exactly (math 10).

    The logarithm of Phi(1/2r - eps r) - e^eps Phi(-1/2r - eps r), written so that neither a huge
    epsilon overflows nor a tiny delta drowns in the rounding of its two terms; what rounding is
    left is about 1e-16 times the ratio.
    """
    near = special.log_ndtr(0.5 / ratio - epsilon * ratio)
    far = special.log_ndtr(-0.5 / ratio - epsilon * ratio)
    with np.errstate(divide="ignore"):  # A delta below all rounding is 0, its logarithm -inf.
        return float(near + np.log(-np.expm1(min(epsilon + far - near, 0.0))))


def check_probability(value: float, name: str) -> float:
    """A probability that is neither 0 nor 1."""
    require(
        isinstance(value, float) and 0 < value < 1,
        f"bad_{name}",
        f"{name} must be between 0 and 1, both excluded, got {value!r}",
        name,
    )
    return value
