"""Shares of check-boxes: any number of them can be ticked, so shares need not sum to one.

How two boxes' noise varies together depends on how many tick both, which a tally does not tell.
The covariance is given for boxes ticked independently of each other; a score takes for each pair
the joint share that makes its error largest, among those that are possible (Frechet's bounds).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from client.core.mechanisms import PrivateSet, SampledChecks
from client.core.primitives.refusal import Refusal
from estimators.shares.score import Score
from estimators.shares.shares import Covariance, ShareEstimates
from estimators.shares.spread import Array


@dataclass(frozen=True)
class CheckEstimates(ShareEstimates):
    """Sampled checks, private set."""

    def norm_sub(self) -> Array:
        raise _no_simplex()

    def posterior_mean(self) -> Array:
        raise _no_simplex()

    def maximum_likelihood(self) -> Array:
        """Each box for itself: the clipped share (math 7)."""
        return self.clipped()

    def _score(self, target: Array) -> Score:
        used = target != 0
        target, shares = target[used], self.clipped()[used]
        noise = worst(noise_of_pairs, self.mechanism, shares, target) / self.n
        whole = worst(spread_of_pairs, self.mechanism, shares, target) / self.n
        own = target**2
        noise_variance = float(own @ self.noise_variances[used]) + noise
        return Score(
            value=float(target @ self.shares[used]),
            noise_variance=noise_variance,
            sampling_variance=float(own @ self.sampling_variances[used]) + whole - noise,
            noise_error=max(float(own @ self.noise_errors[used] ** 2) + noise, 0.0) ** 0.5,
        )

    def _covariance(self) -> Covariance:
        both = np.outer(self.shares, self.shares)
        noise = noise_of_pairs(self.mechanism, self.shares, both) / self.n
        np.fill_diagonal(noise, self.noise_variances)
        # Boxes ticked independently: the sample makes no two of them vary together.
        return Covariance(noise, np.diag(self.sampling_variances))

    def difference_errors(self, option: int) -> Array:
        count = len(self.shares)
        return np.array([self.difference(option, j).standard_error for j in range(count)])


def _no_simplex() -> Refusal:
    return Refusal("no_simplex", "shares of check-boxes need not sum to one")


Pairs = Callable[[object, Array, Array], Array]


def worst(pairs: Pairs, mechanism: object, shares: Array, target: Array) -> float:
    """The largest that the covariances can add to a score's variance, per respondent."""
    weights = np.outer(target, target)
    np.fill_diagonal(weights, 0.0)
    least = np.maximum(np.add.outer(shares, shares) - 1, 0.0)
    most = np.minimum.outer(shares, shares)
    ends = (weights * pairs(mechanism, shares, both) for both in (least, most))
    return float(np.maximum(*ends).sum())


def noise_of_pairs(mechanism: object, shares: Array, both: Array) -> Array:
    """The same as `spread_of_pairs` with the answers fixed."""
    return spread_of_pairs(mechanism, shares, both) - (both - np.outer(shares, shares))


def spread_of_pairs(mechanism: object, shares: Array, both: Array) -> Array:
    """Covariance of two boxes' estimated shares times n, if `both` is the share that ticks both.

    Sampled checks: only reports about both boxes tell of both, an expected part of all; none of
    them where one box is asked. Private set: a report holds u and v with the same probability
    whether the answer holds one of them or both, and with a smaller one if neither.
    """
    match mechanism:
        case SampledChecks(options=options, asked=asked):
            overlap = (asked - 1) * options / (asked * max(options - 1, 1))
            return overlap * (both - np.outer(shares, shares))
        case PrivateSet():
            told, silent = pair_chances(mechanism)
            p, q = float(mechanism.p), float(mechanism.q)
            reported = q + (p - q) * shares
            either = np.add.outer(shares, shares) - both
            held = silent + (told - silent) * either
            return (held - np.outer(reported, reported)) / (p - q) ** 2
    raise TypeError(f"{mechanism} is not for check-boxes")


def pair_chances(mechanism: PrivateSet) -> tuple[float, float]:
    """P(a report holds u and v): if the answer holds u or v, and if it holds neither.

    With g the chance for a uniform set of all items, g' for one of the items outside the answer
    and f the chance to miss the answer: P g/(1-f), and P (g - f g')/(1-f) + (1-P) g'.
    """
    size, items, options = mechanism.size, mechanism.items, mechanism.options
    uniform = size * (size - 1) / (items * (items - 1))
    outside = size * (size - 1) / (options * (options - 1)) if options > 1 else 0.0
    hit = mechanism.near / (mechanism.near + mechanism.far)
    keep = float(mechanism.keep)
    told = keep * uniform / hit
    silent = keep * (uniform - (1 - hit) * outside) / hit + (1 - keep) * outside
    return told, silent
