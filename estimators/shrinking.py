"""Possible shares that are nearest to the truth on average: for display only (math 7).

Norm-Sub moves every share alone. Here all shares together tell how uneven they are, and each is
drawn towards what that makes likely: the more, the less its own reports say.
"""

import numpy as np
from scipy.special import gammainc, gammaln

from estimators.constrained import norm_sub
from estimators.spread import Array

# How far from its estimate a share may lie, in standard errors, and in how fine steps.
REACH, STEPS = 6.0, 48
# How many degrees of unevenness are tried.
DEGREES = 17


def posterior_mean(shares: Array, errors: Array) -> Array:
    """The mean of what the shares may be, given their estimates and standard errors.

    A priori they come from a symmetric Dirichlet distribution: gamma variables with the mean 1/k,
    given that they sum to one. How far they spread is not chosen but tried, from a quarter of the
    noise up to everybody at one option, and weighed by how well it foretells the estimates.
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
    """Of each interval between edges, for a gamma variable of this concentration and mean one."""
    middles = (edges[:, 1:] + edges[:, :-1]) / 2
    chances: Array = (
        (concentration - 1) * np.log(middles)
        - concentration * middles
        + concentration * np.log(concentration)
        - gammaln(concentration)
        + np.log(np.diff(edges, axis=1))
    )
    # From 0 on, where the density may be infinite, the integral instead of the middle.
    first = edges[:, 0] == 0
    with np.errstate(divide="ignore"):
        chances[first, 0] = np.log(gammainc(concentration, concentration * edges[first, 1]))
    return chances
