"""The possible shares nearest to the estimates: for display, never for totals or tests (7)."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting import channel, walsh_hadamard

Array = NDArray[np.float64]
Row = dict[str, Any]

# For longer lists the likelihood and the posterior are not computed.
MOST_LIKELIEST = 1000


def display_columns(shape: Row, counts: Array, share: Array, error: Array) -> dict[str, Array]:
    """Return the columns that are for display only."""
    if shape["name"] in ("smp", "privset"):
        return {"maximum_likelihood": np.clip(share, 0, 1)}
    columns = {"norm_sub": norm_sub(share)}
    if len(share) <= MOST_LIKELIEST:
        columns["maximum_likelihood"] = likeliest(shape, counts, share)
        columns["posterior_mean"] = posterior_mean(share, error)
    return columns


def norm_sub(share: Array) -> Array:
    """Return the nearest shares that are not negative and sum to one."""
    falling = np.sort(share)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(share) + 1)
    return np.maximum(share - excess[np.flatnonzero(falling > excess)[-1]], 0)


def never_falling(values: Array, weights: Array) -> Array:
    """Return the nearest numbers that never decrease, by pooling adjacent ones that do."""
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values, np.maximum(weights, 1e-9), strict=True):
        size = 1
        while blocks and blocks[-1][0] > value:
            other, heft, many = blocks.pop()
            value = (other * heft + value * weight) / (heft + weight)
            weight, size = heft + weight, many + size
        blocks.append((value, weight, size))
    return np.repeat([block[0] for block in blocks], [block[2] for block in blocks])


def likeliest(shape: Row, counts: Array, share: Array) -> Array:
    """Return the shares that make the reports most likely, or the best known substitute."""
    if shape["name"] == "rr":
        return np.clip(share, 0, 1)
    if shape["name"] == "ss":
        return likeliest_of_one(shape, counts) if shape["size"] == 1 else norm_sub(share)
    return likeliest_of_hadamard(shape, counts, norm_sub(share))


def likeliest_of_one(shape: Row, counts: Array) -> Array:
    """Return shares with q + (p - q) share proportional to the counts, for the options above 0."""
    p, q = channel(shape)
    active = np.ones(len(counts), dtype=bool)
    while True:
        whole = p - q + q * active.sum()
        share = (counts / counts[active].sum() * whole - q) / (p - q)
        share[~active] = 0
        if (share >= 0).all():
            return share
        active &= share > 0


def likeliest_of_hadamard(shape: Row, counts: Array, start: Array) -> Array:
    """Return the likeliest shares by EM, extrapolating its steps where that is uphill."""
    alpha, used = 2 * channel(shape)[0] - 1, slice(1, shape["options"] + 1)
    observed = counts / counts.sum()

    def expected(share: Array) -> Array:
        rows = np.zeros(len(counts))
        rows[used] = share
        return 1 + alpha * walsh_hadamard(rows)

    def step(share: Array) -> Array:
        ratios = observed / expected(share)
        return np.asarray(share * (ratios.sum() + alpha * walsh_hadamard(ratios)[used]))

    def likelihood(share: Array) -> float:
        return float(observed @ np.log(expected(share)))

    share = (start + 1 / len(start)) / 2
    for _ in range(300):
        first = step(share)
        second = step(first)
        change, turn = first - share, second - 2 * first + share
        if np.abs(change).max() < 1e-7:
            break
        length = np.linalg.norm(change) / max(float(np.linalg.norm(turn)), 1e-15)
        leap = np.maximum(share + 2 * length * change + length**2 * turn, 1e-15)
        leap = step(leap / leap.sum())
        share = leap if likelihood(leap) > likelihood(second) else second
    return share


def posterior_mean(share: Array, error: Array) -> Array:
    """Return the posterior mean of gamma variables with mean 1/k, averaged over their spread."""
    k = len(share)
    low, high = np.maximum(share - 6 * error, 0), np.maximum(share, 0) + 6 * error
    edges = np.linspace(low, high, 49, axis=1)
    middles = (edges[:, 1:] + edges[:, :-1]) / 2
    fit = -(((middles - share[:, None]) / error[:, None]) ** 2) / 2
    means, evidence = [], []
    for spread in np.geomspace(error.min() / 4, k**-0.5, 17):
        a = (k * spread) ** -2
        chances = fit + a * np.log(a) - math.lgamma(a) + np.log(k * np.diff(edges, axis=1))
        chances += (a - 1) * np.log(k * middles) - a * k * middles
        first = edges[:, 0] == 0
        chances[first, 0] = fit[first, 0] + log_gamma_cdf(a, a * k * edges[first, 1])
        best = chances.max(axis=1, keepdims=True)
        weights = np.exp(chances - best)
        whole = weights.sum(axis=1)
        means.append((weights * middles).sum(axis=1) / whole)
        evidence.append(float(best.sum() + np.log(whole).sum()))
    belief = np.exp(np.array(evidence) - max(evidence))
    return norm_sub(belief @ np.array(means) / belief.sum())


def log_gamma_cdf(a: float, x: Array) -> Array:
    """Return the logarithm of the regularised lower incomplete gamma function, by its series."""
    term = np.ones_like(x)
    total, n = np.ones_like(x), 0
    while len(x) and (term > 1e-17 * total).any():
        n += 1
        term = term * x / (a + n)
        total = total + term
    return a * np.log(x) - x - math.lgamma(a + 1) + np.log(total)
