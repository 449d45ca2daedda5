"""Shares made possible, for display only: never for totals, tests or intervals (math 7)."""

from collections.abc import Callable

import numpy as np
from scipy.special import gammainc, gammaln

from estimators.shares.spread import Array

MAX_LEAPS = 300
# No reader sees a smaller difference between shares.
TOLERANCE = 1e-7
TINY = 1e-15


def norm_sub(shares: Array) -> Array:
    """Subtract one number from all shares, cut at 0, so that they sum to one (math 7).

    This is the projection onto the simplex: no possible shares are nearer.
    """
    falling = np.sort(shares)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(shares) + 1)
    kept = int(np.flatnonzero(falling > excess)[-1])
    return np.maximum(shares - float(excess[kept]), 0.0)


def likeliest_of_one(reported: Array, p: float, q: float) -> Array:
    """Return the likeliest shares of k-ary randomized response, exactly (math 7).

    q + (p - q) pi is proportional to the counts of the options above 0. Options that would fall
    below 0 are set to 0, and the rest is computed again.
    """
    active = np.ones(len(reported), dtype=bool)
    while True:
        # On the active set the probabilities of a report sum to 1 - q times the others.
        whole = p - q + q * int(active.sum())
        shares: Array = (reported / float(reported[active].sum()) * whole - q) / (p - q)
        shares[~active] = 0.0
        if (shares >= 0).all():
            return shares
        active &= shares > 0


def climb(
    step: Callable[[Array], Array], log_likelihood: Callable[[Array], float], start: Array
) -> Array:
    """Repeat EM steps, extrapolating them where that is uphill.

    Squared extrapolation (Varadhan and Roland 2008): plain EM needs about 1/alpha^2 steps.
    """
    shares = start
    for _ in range(MAX_LEAPS):
        first = step(shares)
        second = step(first)
        change, turn = first - shares, second - 2 * first + shares
        if np.abs(change).max() < TOLERANCE:
            break
        length = np.linalg.norm(change) / max(float(np.linalg.norm(turn)), TINY)
        leap = np.maximum(shares + 2 * length * change + length**2 * turn, TINY)
        leap = step(leap / leap.sum())
        shares = leap if log_likelihood(leap) > log_likelihood(second) else second
    return shares


def isotonic(values: Array, weights: Array) -> Array:
    """Return the nearest numbers that never decrease, by pooling adjacent violators (math 5)."""
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), np.maximum(weights, 1e-9).tolist(), strict=True):
        mean, size, count = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, heft, many = blocks.pop()
            mean = (before * heft + mean * size) / (heft + size)
            size, count = heft + size, many + count
        blocks.append((mean, size, count))
    return np.repeat([block[0] for block in blocks], [block[2] for block in blocks])


# How far from its estimate a share may lie, in standard errors, and in how many steps.
REACH, STEPS = 6.0, 48
# How many prior spreads are tried.
DEGREES = 17


def posterior_mean(shares: Array, errors: Array) -> Array:
    """Return the posterior mean of the shares, given their estimates and standard errors.

    A priori they come from a symmetric Dirichlet distribution: gamma variables with mean 1/k, given
    that they sum to one. Their spread is not chosen: many are tried, from a quarter of the noise up
    to everybody at one option, each weighted by how well it predicts the estimates.
    """
    options = len(shares)
    low = np.maximum(shares - REACH * errors, 0.0)
    high = np.maximum(shares, 0.0) + REACH * errors
    edges = np.linspace(low, high, STEPS + 1, axis=1)
    middles = (edges[:, 1:] + edges[:, :-1]) / 2
    fit = -(((middles - shares[:, None]) / errors[:, None]) ** 2) / 2
    spreads = np.geomspace(float(errors.min()) / 4, options**-0.5, DEGREES)
    means, evidence = [], []
    for concentration in (options * spreads) ** -2:
        chances = fit + _log_chances(concentration, options * edges)
        best = chances.max(axis=1, keepdims=True)
        weights = np.exp(chances - best)
        whole = weights.sum(axis=1)
        means.append((weights * middles).sum(axis=1) / whole)
        evidence.append(float(best.sum() + np.log(whole).sum()))
    belief = np.exp(np.array(evidence) - max(evidence))
    return norm_sub(belief @ np.array(means) / belief.sum())


def _log_chances(concentration: float, edges: Array) -> Array:
    """Return the log probability of each interval, for a gamma variable with mean one."""
    middles = (edges[:, 1:] + edges[:, :-1]) / 2
    chances: Array = (
        (concentration - 1) * np.log(middles)
        - concentration * middles
        + concentration * np.log(concentration)
        - gammaln(concentration)
        + np.log(np.diff(edges, axis=1))
    )
    # In an interval from 0 on the density may be infinite: use the integral, not the middle.
    first = edges[:, 0] == 0
    with np.errstate(divide="ignore"):
        chances[first, 0] = np.log(gammainc(concentration, concentration * edges[first, 1]))
    return chances
