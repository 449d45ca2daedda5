"""The noise covariance of all options as an operator: C h without the k x k matrix.

Everything is per respondent and for shares: divide by n for the covariance of the estimated shares,
multiply by n for that of the totals. All is linear in the true shares, so plugging in the raw
estimates gives unbiased covariances (math 2.1).
"""

from estimators.shares.spread import Array, noise_per_respondent


def pairs_times(
    pair: tuple[float, float], p: float, q: float, shares: Array, targets: Array
) -> Array:
    """Return the covariance times each target column, if all pairs of options are alike.

    Cov(u, v) = (pi_u + pi_v)(A - B) + B, A if the truth is u or v, B if not (math 2.1).
    """
    told, silent = pair
    pi = shares.reshape(-1, *[1] * (targets.ndim - 1))
    rest: Array = targets.sum(axis=0, keepdims=True) - targets
    weighted: Array = (pi * targets).sum(axis=0, keepdims=True) - pi * targets
    diagonal = noise_per_respondent(pi, p, q) * targets
    return diagonal + (told - silent) * (pi * rest + weighted) + silent * rest


def pair_noise(options: int, size: int, p: float, q: float) -> tuple[float, float]:
    """Return the noise covariance of two options if one of them is the truth, and if neither is.

    A report is a set of `size` options; all sets that hold the truth are equally likely.
    """
    one = p * (size - 1) / (options - 1)
    others = max((options - 1) * (options - 2), 1)
    none = (p * (size - 1) * (size - 2) + (1 - p) * size * (size - 1)) / others
    told = (one - p * q) / (p - q) ** 2
    return told, (none - q**2) / (p - q) ** 2 if options > 2 else 0.0
