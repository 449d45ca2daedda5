"""Answers with an order and a distance: means, quantiles, distributions (4, 5)."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.answered import answered_rows
from analysis.counting import channel
from analysis.limits import Limits, quantile_rows, share_rows, threshold_limits, window_limits
from analysis.noise import noise
from analysis.shares import net_promoters, score_row, total_columns

Array = NDArray[np.float64]
Row = dict[str, Any]

# With fewer reports than this on some threshold the centred score is used (5.3).
FEW_PER_THRESHOLD = 30
MOST_LEVELS = 1001
EM_STEPS = 300


def level_rows(question: Row, counts: Array, n: int, z: float) -> list[Row]:
    """Return every row of one question about a number."""
    shape = question["mechanism"]
    lo, step, top = float(question["lo"]), float(question["step"]), shape["top"]
    if "silent" in shape:
        mean_and_silence, is_known = answered_rows(shape, counts, n, z, lo, step)
        own = [] if top >= MOST_LEVELS or not is_known else distribution_rows(question, counts, n)
        return mean_and_silence + own
    score = threshold_score if shape["name"] == "rt" else window_score
    levels = np.arange(top + 1)
    mean = threshold_score if shape["name"] == "rt" else window_mean
    value, noise_var, sampling, error = mean(shape, counts, n, levels.astype(float))
    scaled = (lo + step * value, step**2 * noise_var, step**2 * sampling, step * error)
    rows = [score_row("mean", *scaled, z) | total_columns(n, *scaled, z)]
    if top >= MOST_LEVELS:
        return rows
    if (top, lo, step) == (10, 0, 1):
        found = score(shape, counts, n, net_promoters(levels))
        rows.append(score_row("net_promoters", *found, z) | total_columns(n, *found, z))
    return rows + distribution_rows(question, counts, n)


def distribution_rows(question: Row, counts: Array, n: int) -> list[Row]:
    """Return quantiles, shares up to a level, and shares of levels, of those who answered."""
    shape = question["mechanism"]
    limits = cumulative_limits(shape, counts)
    values = float(question["lo"]) + float(question["step"]) * np.arange(shape["top"] + 1)
    rows = quantile_rows(limits, values) + share_rows(limits)
    shares = distribution(shape, counts, n).tolist()
    for level, share in enumerate(shares):
        rows.append({"quantity": "level", "option": level, "value": share, "share": share})
    return rows


def threshold_score(shape: Row, counts: Array, n: int, target: Array) -> tuple[float, ...]:
    """Return target_0 + sum_t (target_t - target_(t-1)) S(t), S(t) = P(level >= t) (4, 5.3)."""
    (p, q), top = channel(shape), shape["top"]
    yes, asked = counts[1::2], counts[0::2] + counts[1::2]

    def stratified(h: Array) -> tuple[float, float, float]:
        steps, used = np.diff(h), np.diff(h) != 0
        lam, heard, steps = yes[used] / asked[used], asked[used], steps[used]
        whole = steps**2 @ (lam * (1 - lam) / (heard - 1)) / (p - q) ** 2
        return h[0] + steps @ ((lam - q) / (p - q)), whole, steps**2 @ (noise(lam, p, q) / heard)

    def centred(h: Array) -> tuple[float, float, float]:
        steps, centre = np.diff(h), (top + 1 - np.arange(1, top + 1)) / (top + 1)
        base = h[0] + steps @ centre
        said_yes = base + top * steps * ((1 - q) / (p - q) - centre)
        said_no = base + top * steps * (-q / (p - q) - centre)
        value = (yes @ said_yes + (asked - yes) @ said_no) / n
        squares = yes @ (said_yes - value) ** 2 + (asked - yes) @ (said_no - value) ** 2
        least = top * (steps @ steps) * float(noise(np.array(0.5), p, q)) / n
        return value, squares / (max(n - 1, 1) * n), least

    enough = bool((asked[np.diff(target) != 0] >= FEW_PER_THRESHOLD).all())
    estimate = stratified if enough else centred
    value, whole, least = estimate(target)
    truth = estimate(target**2)[0] - value**2 + whole
    possible = min(max(truth, 0), float(np.ptp(target)) ** 2 / 4)
    return value, whole - truth / n, truth / n, math.sqrt(max(whole - possible / n, least))


def window_mean(shape: Row, counts: Array, n: int, levels: Array) -> tuple[float, ...]:
    """Return the mean of (y - intercept)/slope - w/2; its noise is quadratic in the level (5.2)."""
    top, width, keep = shape["top"], shape["width"], shape["threshold"] / 2**32
    last, away = top + width, (1 - keep) / top
    slope, intercept = keep - away * (width + 1), away * last * (last + 1) / 2
    rest = away * last * (last + 1) * (2 * last + 1) / 6
    places = np.arange(last + 1)
    scores = (places - intercept) / slope - width / 2
    squares = (places**2 - rest) / slope - width * (width + 2) / 12 - width * scores - width**2 / 4

    def added(level: float) -> float:
        mu = level + width / 2
        square = slope * (width * (width + 2) / 12 + mu**2) + rest
        return float((square - (slope * mu + intercept) ** 2) / slope**2)

    value, square = counts @ scores / n, counts @ squares / n
    bend = (added(2) - 2 * added(1) + added(0)) / 2
    tilt = added(1) - added(0) - bend
    noise_var = (added(0) + tilt * value + bend * square) / n
    near = min(max(value, 0), top)
    spread = min(max(square - value**2, 0), near * (top - near))
    possible = added(0) + tilt * near + bend * (near**2 + spread)
    whole = variance(scores, counts, n, value)
    return value, noise_var, whole - noise_var, math.sqrt(possible / n)


def window_score(shape: Row, counts: Array, n: int, target: Array) -> tuple[float, ...]:
    """Return the unbiased score with the least variance if all levels are equally common."""
    matrix = transition(shape)
    weighted = matrix / matrix.mean(axis=1, keepdims=True)
    best = np.linalg.solve(matrix.T @ weighted, weighted.T).T
    value, square = counts @ (best @ target) / n, counts @ (best @ target**2) / n
    whole = variance(best @ target, counts, n, value)
    truth = square - value**2 + whole
    possible = min(max(truth, 0), float(np.ptp(target)) ** 2 / 4)
    return value, whole - truth / n, truth / n, math.sqrt(max(whole - possible / n, 0))


def variance(scores: Array, counts: Array, n: int, value: float) -> float:
    """Return the variance of the average of n scores."""
    if n == 1:
        return float(np.ptp(scores)) ** 2 / 4
    return float(counts @ (scores - value) ** 2) / (n * (n - 1))


def transition(shape: Row) -> Array:
    """Return the matrix M[y, x] = P(report y | level x), options for silence last."""
    keep, x = shape["threshold"] / 2**32, np.arange(shape["top"] + 1)[None, :]
    if shape["name"] == "rt":
        t, bit = np.divmod(np.arange(2 * shape["top"])[:, None], 2)
        return np.where((x >= t + 1) == (bit == 1), keep, 1 - keep) / shape["top"]
    top, near, silent = shape["top"], shape["width"] + 1, shape.get("silent", 0)
    far = top + silent * near
    starts = np.append(np.arange(top + 1), top + near * np.arange(1, silent + 1))
    y = np.arange(near + far)[:, None]
    return np.where((starts <= y) & (y < starts + near), keep / near, (1 - keep) / far)


def cumulative_limits(shape: Row, counts: Array) -> Limits:
    """Return P(answer <= level) for all levels but the top, with its limits."""
    if shape["name"] == "rt":
        return threshold_limits(counts, *channel(shape))
    keep, near = shape["threshold"] / 2**32, shape["width"] + 1
    silent = shape.get("silent", 0)
    epsilon = math.log(keep / near * (shape["top"] + silent * near) / (1 - keep))
    return window_limits(transition(shape), counts, epsilon, silent)


def distribution(shape: Row, counts: Array, n: int) -> Array:
    """Return the shares by EM from equal shares, stopped early; for drawing only (5)."""
    matrix = transition(shape)
    shares = np.full(matrix.shape[1], 1 / matrix.shape[1])
    for _ in range(EM_STEPS):
        shares = shares * (matrix.T @ (counts / n / (matrix @ shares)))
        shares /= shares.sum()
    own = shares[: shape["top"] + 1]
    return own if len(own) == len(shares) else own / own.sum()
