"""Shares forced to be possible: for display only, never for totals, tests or intervals (math 7)."""

import numpy as np

from client.mechanisms import HadamardResponse
from estimators.spread import Array
from estimators.support import walsh_hadamard

LIKELIHOOD_STEPS = 2000
LIKELIHOOD_TOLERANCE = 1e-9


def norm_sub(shares: Array) -> Array:
    """Subtract one number from all shares, cut at 0, so that they sum to one (math 7).

    It is the projection onto the simplex: no possible shares are nearer.
    """
    falling = np.sort(shares)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(shares) + 1)
    kept = np.flatnonzero(falling > excess)[-1]
    return np.maximum(shares - excess[kept], 0.0)


def likeliest_of_one(reported: Array, p: float, q: float) -> Array:
    """k-ary randomized response: q + (p - q) pi proportional to the counts of those above 0.

    Options that would fall below 0 are set to 0, and the rest is done again (math 7).
    """
    active = np.ones(len(reported), dtype=bool)
    while True:
        # On the active set the probabilities of a report sum to 1 - q times the others.
        whole = p - q + q * int(active.sum())
        shares = (reported / reported[active].sum() * whole - q) / (p - q)
        shares[~active] = 0.0
        if (shares >= 0).all():
            return shares
        active &= shares > 0


def likeliest_of_hadamard(mechanism: HadamardResponse, columns: Array, start: Array) -> Array:
    """EM with the channel as a Walsh-Hadamard transform: M pi = (1 + alpha WHT(pi))/K (math 7)."""
    alpha, size = float(2 * mechanism.alpha), mechanism.columns
    used = slice(1, mechanism.options + 1)
    observed = columns / columns.sum()
    shares = (start + 1 / len(start)) / 2
    for _ in range(LIKELIHOOD_STEPS):
        rows = np.zeros(size)
        rows[used] = shares
        ratio = observed * size / (1 + alpha * walsh_hadamard(rows))
        better = shares * (ratio.sum() + alpha * walsh_hadamard(ratio)[used]) / size
        if np.abs(better - shares).max() < LIKELIHOOD_TOLERANCE:
            return better
        shares = better
    return shares


def isotonic(values: Array, weights: Array) -> Array:
    """The nearest numbers that never fall: pool adjacent violators, by weight (math 5)."""
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), np.maximum(weights, 1e-9).tolist(), strict=True):
        mean, size, count = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, heft, many = blocks.pop()
            mean = (before * heft + mean * size) / (heft + size)
            size, count = heft + size, many + count
        blocks.append((mean, size, count))
    return np.repeat([block[0] for block in blocks], [block[2] for block in blocks])
