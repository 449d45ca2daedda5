"""The noise covariance of all options at once, as an operator: C h without the k x k matrix.

Everything is per respondent and for shares: divided by n it is the covariance of the estimated
shares, times n that of the totals. All are linear in the true shares, so that the raw estimates
plugged in give unbiased covariances (math 2.1, 2.2).
"""

import numpy as np

from client.core.mechanisms import HadamardResponse, RandomizedResponse, SubsetSelection, Supporting
from estimators.shares.spread import Array, noise_per_respondent
from estimators.shares.support import walsh_hadamard


def noise_times(mechanism: Supporting, shares: Array, targets: Array) -> Array:
    """The noise covariance times each column of `targets`, for one choice out of several."""
    if isinstance(mechanism, HadamardResponse):
        return _hadamard(mechanism, shares, targets)
    return _subset_selection(mechanism, shares, targets)


def _subset_selection(mechanism: Supporting, shares: Array, targets: Array) -> Array:
    """Cov(u, v) = (pi_u + pi_v)(A - B) + B, A if the truth is u or v, B if not (math 2.1)."""
    told, silent = pair_noise(mechanism)
    pi = _column(shares, targets)
    rest: Array = targets.sum(axis=0, keepdims=True) - targets
    weighted: Array = (pi * targets).sum(axis=0, keepdims=True) - pi * targets
    diagonal = noise_per_respondent(pi, float(mechanism.p), float(mechanism.q)) * targets
    return diagonal + (told - silent) * (pi * rest + weighted) + silent * rest


def pair_noise(mechanism: Supporting) -> tuple[float, float]:
    """The noise covariance of two options if one of them is the truth, and if neither is.

    Randomized response is subset selection of one out of two.
    """
    match mechanism:
        case SubsetSelection(options=options, size=size):
            pass
        case RandomizedResponse():
            options, size = 2, 1
        case _:
            raise TypeError(f"{mechanism.name} is not for one choice out of several")
    p, q = float(mechanism.p), float(mechanism.q)
    one = p * (size - 1) / (options - 1)
    others = max((options - 1) * (options - 2), 1)
    none = (p * (size - 1) * (size - 2) + (1 - p) * size * (size - 1)) / others
    told = (one - p * q) / (p - q) ** 2
    return told, (none - q**2) / (p - q) ** 2 if options > 2 else 0.0


def _hadamard(mechanism: HadamardResponse, shares: Array, targets: Array) -> Array:
    """Cov(u, v) = pi_t / alpha where t + 1 = (u + 1) xor (v + 1), a xor-convolution (math 2.2)."""
    pi = _column(shares, targets)
    product = walsh_hadamard(_rows(mechanism, pi)) * walsh_hadamard(_rows(mechanism, targets))
    mixed = walsh_hadamard(product)[1 : mechanism.options + 1] / mechanism.columns
    own = noise_per_respondent(pi, float(mechanism.p), float(mechanism.q)) * targets
    return own + mixed / float(2 * mechanism.alpha)


def _rows(mechanism: HadamardResponse, values: Array) -> Array:
    """Options at their rows of the Hadamard matrix: option v has row v + 1."""
    rows = np.zeros((mechanism.columns, *values.shape[1:]))
    rows[1 : mechanism.options + 1] = values
    return rows


def _column(shares: Array, targets: Array) -> Array:
    return shares.reshape(-1, *[1] * (targets.ndim - 1))
