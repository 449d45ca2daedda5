"""Shares up to a level with their 95 % limits, and the quantiles read off them (4, 5)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, nnls

from analysis.answered import fieller
from analysis.possible import never_falling

Array = NDArray[np.float64]
Row = dict[str, Any]

# The 99 % quantile of chi-square(1); it gives 95 % intervals, and was measured for no other level.
CUT = 6.6349
MOST_BINS, MOST_LISTED = 128, 20
QUANTILES = (5, 25, 50, 75, 95)
Z = 1.959963984540054
Limits = tuple[Array, Array, Array]


def quantile_rows(limits: Limits, values: Array) -> list[Row]:
    """Return the quantiles: every v with high(F(v)) >= part and low(F(v - 1)) <= part."""
    fitted, low, high = limits
    rows: list[Row] = []
    for percent in QUANTILES:
        part = percent / 100
        reached = np.append(fitted >= part, True)
        possible = np.append(high >= part, True) & np.insert(low <= part, 0, True)
        first, last = np.flatnonzero(possible)[[0, -1]]
        figures = {"value": values[reached.argmax()], "low": values[first], "high": values[last]}
        rows.append({"quantity": f"quantile_{percent:02}", "option": ""} | figures)
    return rows


def share_rows(limits: Limits) -> list[Row]:
    """Return the shares up to at most 20 levels, evenly spaced."""
    top = len(limits[0])
    listed = np.arange(top)
    if top > MOST_LISTED:
        listed = np.floor(np.linspace(0, top - 1, MOST_LISTED) + 0.5).astype(int)
    names = ("value", "low", "high")
    return [
        {"quantity": "at_most", "option": level, "share": float(limits[0][level])}
        | {name: float(column[level]) for name, column in zip(names, limits, strict=True)}
        for level in listed.tolist()
    ]


def threshold_limits(counts: Array, p: float, q: float) -> Limits:
    """Return F(v), and where twice the log-likelihood of the best rising F falls by CUT."""
    no, asked = counts[0::2], counts[0::2] + counts[1::2]
    said_no = np.divide(no, asked, out=np.full(len(no), 0.5), where=asked > 0)

    def likelihood(lam: Array) -> float:
        return float(no @ np.log(lam) + (asked - no) @ np.log1p(-lam))

    best = np.clip(never_falling(said_no, asked), q, p)
    fitted = (best - q) / (p - q)
    ends = []
    for v, start in enumerate(fitted.tolist()):
        left = never_falling(said_no[:v], asked[:v])
        right = never_falling(said_no[v + 1 :], asked[v + 1 :])

        def worse(share: float, left: Array = left, right: Array = right) -> float:
            lam = q + (p - q) * share
            parts = (np.clip(left, q, lam), [lam], np.clip(right, lam, p))
            return 2 * (likelihood(best) - likelihood(np.concatenate(parts)))

        ends.append([crossing(worse, start, bound, bound) for bound in (0.0, 1.0)])
    low, high = np.array(ends).T
    return fitted, low, high


def window_limits(matrix: Array, counts: Array, epsilon: float, silent: int = 0) -> Limits:
    """Return F(v), and where Q = n sum (f - M pi)^2/h of the best shares pi rises by CUT.

    The last `silent` columns are options for silence: F is among those who answered (5.5).
    """
    levels = matrix.shape[1] - silent
    bins = min(levels, MOST_BINS)
    edges = np.arange(bins + 1) * levels // bins
    widths = np.diff(edges)
    own = np.add.reduceat(matrix[:, :levels], edges[:-1], axis=1) / widths
    grouped = np.column_stack((own, matrix[:, levels:]))
    factor = window_factor(grouped, counts)
    best = nearest(factor)
    ends = [np.arange(bins) < count for count in range(1, bins)]
    highs = [highest_share(factor, best, inside, counts.sum()) for inside in ends]
    lows = [1 - highest_share(factor, best, ~inside, counts.sum()) for inside in ends]
    high, low = np.array([0.0, *highs, 1.0]), np.array([0.0, *lows, 1.0])
    if epsilon > 2.5:
        # Beyond this epsilon also the unbiased scores' limits: the wider ones count.
        scored = score_limits(grouped, counts, silent)
        low[1:-1] = np.minimum(low[1:-1], scored[0])
        high[1:-1] = np.maximum(high[1:-1], scored[1])
    # Inside a bin, F lies between its limits at the ends of the bin.
    after = np.arange(1, levels)
    fitted = np.cumsum(np.repeat(among_answers(best, bins) / widths, widths))[:-1]
    whole = np.searchsorted(edges, after, side="right") - 1
    return np.minimum(fitted, 1), low[whole], high[np.searchsorted(edges, after)]


def window_factor(grouped: Array, counts: Array) -> Array:
    """Return R with Q(pi) = |R pi|^2; the weights h are what 100 steps of EM expect."""
    n, size = counts.sum(), grouped.shape[1]
    observed, shares = counts / n, np.full(size, 1 / size)
    for _ in range(100):
        shares = shares * (grouped.T @ (observed / (grouped @ shares)))
        shares /= shares.sum()
    weights = np.sqrt(n / (grouped @ shares))
    found: Array = np.linalg.qr(weights[:, None] * (grouped - observed[:, None]), mode="r")
    return found


def among_answers(shares: Array, bins: int) -> Array:
    """Return the shares of the bins among those who answered; even ones if nobody did."""
    given = shares[:bins].sum()
    return shares[:bins] / given if given > 0 else np.full(bins, 1 / bins)


def highest_share(factor: Array, best: Array, inside: NDArray[np.bool_], n: float) -> float:
    """Return the largest share of the flagged bins at which Q rises by at most CUT."""
    bins = len(inside)
    silent, least = len(best) - bins, float(((factor @ best) ** 2).sum())

    def pulled(wanted: float) -> tuple[float, float]:
        # Whatever share is reached, no other shares with it have a smaller Q.
        pull = np.append(100 * math.sqrt(n) * (inside - wanted), np.zeros(silent))
        found = nearest(np.vstack((factor, pull)))
        given = found[:bins].any()
        reached = float(among_answers(found, bins)[inside].sum()) if given else wanted
        return reached, float(((factor @ found) ** 2).sum()) - least

    start = float(among_answers(best, bins)[inside].sum())
    wanted = crossing(lambda at: pulled(at)[1], start, 1.0 if silent else 2.0, math.inf)
    return 1.0 if start >= 1 or math.isinf(wanted) else min(pulled(wanted)[0], 1.0)


def score_limits(grouped: Array, counts: Array, silent: int) -> tuple[Array, Array]:
    """Return limits of F at the end of every bin but the last, by unbiased scores."""
    n, size = counts.sum(), grouped.shape[1]
    weighted = grouped / (grouped @ np.full(size, 1 / size))[:, None]
    scores = np.linalg.solve(grouped.T @ weighted, weighted.T).T[:, : size - silent]
    scores = np.cumsum(scores, axis=1)
    value = counts / n @ scores
    spread = counts @ (scores - value) ** 2 / (n * max(n - 1, 1))
    spread = spread if n > 1 else np.ptp(scores, axis=0) ** 2 / 4
    if silent:
        away = scores - value
        both = (counts * away[:, -1]) @ away / (n * max(n - 1, 1))
        low, high = fieller(value, value[-1], spread, spread[-1], both, Z)
    else:
        low, high = value - Z * np.sqrt(spread), value + Z * np.sqrt(spread)
    low, high = np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=1.0)
    return np.clip(low[:-1], 0, 1), np.clip(high[:-1], 0, 1)


def nearest(matrix: Array) -> Array:
    """Return the shares that are not negative, sum to one, and make |matrix shares| smallest."""
    count = matrix.shape[1]
    rows = np.vstack((matrix, np.ones(count)))
    found, _ = nnls(rows, np.append(np.zeros(len(matrix)), 1), maxiter=100 * count)
    shares: Array = found / found.sum()
    return shares


def crossing(worse: Callable[[float], float], start: float, bound: float, else_: float) -> float:
    """Return where something crosses CUT between a start and a bound; `else_` if it never does."""

    def excess(at: float) -> float:
        return math.sqrt(max(worse(at), 0)) - math.sqrt(CUT)

    if excess(bound) <= 0:
        return else_
    return float(brentq(excess, start, bound, xtol=1e-12))
