"""Answers with an order and a distance: means, medians, distributions (4, 5)."""

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting import channel
from analysis.noise import noise
from analysis.possible import never_falling
from analysis.shares import net_promoters, score_row, total_columns, wilson

Array = NDArray[np.float64]
Row = dict[str, Any]

# With fewer reports than this on some threshold the centred score is used (5.3).
FEW_PER_THRESHOLD = 30
MOST_LEVELS = 1001
EM_STEPS, RESAMPLES, SEED = 300, 200, 20_061


def level_rows(question: Row, counts: Array, n: int, z: float) -> list[Row]:
    """Return every row of one question about a number."""
    shape = question["mechanism"]
    lo, step, top = float(question["lo"]), float(question["step"]), shape["top"]
    score = threshold_score if shape["name"] == "rt" else window_score
    levels = np.arange(top + 1)
    mean = threshold_score if shape["name"] == "rt" else window_mean
    value, noise_var, sampling, error = mean(shape, counts, n, levels.astype(float))
    scaled = (lo + step * value, step**2 * noise_var, step**2 * sampling, step * error)
    rows = [score_row("mean", *scaled, z) | total_columns(n, *scaled, z)]
    if top >= MOST_LEVELS:
        return rows
    shares, again = distribution(shape, counts, n)
    cdf = distribution_function(shape, counts, shares, again, z)
    rows.append({"quantity": "median", "option": ""} | median(cdf, lo + step * levels))
    if (top, lo, step) == (10, 0, 1):
        found = score(shape, counts, n, net_promoters(levels))
        rows.append(score_row("net_promoters", *found, z) | total_columns(n, *found, z))
    low, high = middle_part(again, z)
    parts = [("at_most", cdf), ("level", {"value": shares, "low": low, "high": high})]
    for quantity, columns in parts:
        for level, figures in enumerate(zip(*columns.values(), strict=True)):
            row = dict(zip(columns, map(float, figures), strict=True))
            rows.append({"quantity": quantity, "option": level, "share": row["value"]} | row)
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
    """Return the matrix M[y, x] = P(report y | level x)."""
    keep, x = shape["threshold"] / 2**32, np.arange(shape["top"] + 1)[None, :]
    if shape["name"] == "rt":
        t, bit = np.divmod(np.arange(2 * shape["top"])[:, None], 2)
        return np.where((x >= t + 1) == (bit == 1), keep, 1 - keep) / shape["top"]
    width = shape["width"]
    y = np.arange(shape["top"] + width + 1)[:, None]
    return np.where((x <= y) & (y <= x + width), keep / (width + 1), (1 - keep) / shape["top"])


def distribution(shape: Row, counts: Array, n: int) -> tuple[Array, Array]:
    """Return the shares by EM from equal shares, stopped early; also for resampled reports (5)."""
    matrix = transition(shape)
    source = np.random.Generator(np.random.PCG64(SEED))
    again = source.multinomial(n, counts / n, size=RESAMPLES).T / n
    observed = np.column_stack((counts / n, again))
    shares = np.full((shape["top"] + 1, RESAMPLES + 1), 1 / (shape["top"] + 1))
    for _ in range(EM_STEPS):
        shares = shares * (matrix.T @ (observed / (matrix @ shares)))
        shares /= shares.sum(axis=0)
    return shares[:, 0], shares[:, 1:]


def middle_part(resampled: Array, z: float) -> tuple[Array, Array]:
    """Return the ends of the interval that holds the middle part of the resampled figures."""
    tail = 1 - NormalDist().cdf(z)
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=1)
    return low, high


def distribution_function(
    shape: Row, counts: Array, shares: Array, again: Array, z: float
) -> dict[str, Array]:
    """Return P(answer <= level) for all levels but the top."""
    if shape["name"] == "isw":
        low, high = middle_part(np.cumsum(again, axis=0)[:-1], z)
        cdf = np.cumsum(shares)[:-1]
        return {"value": cdf, "low": low, "high": high, "monotone": cdf}
    (p, q), no, asked = channel(shape), counts[0::2], counts[0::2] + counts[1::2]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = 1 - ((asked - no) / asked - q) / (p - q)
        low, high = wilson(no, asked, p, q, z)
    monotone = np.clip(never_falling(np.where(asked > 0, value, 0.5), asked), 0, 1)
    low, high = np.where(asked > 0, low, 0.0), np.where(asked > 0, high, 1.0)
    return {"value": value, "low": low, "high": high, "monotone": monotone}


def median(cdf: dict[str, Array], values: Array) -> Row:
    """Return the median with its interval, from the distribution function."""

    def first(flags: NDArray[np.bool_]) -> int:
        return int(np.argmax(flags)) if flags.any() else len(flags)

    last = len(cdf["low"]) - first(cdf["low"][::-1] < 0.5)
    places = {"value": first(cdf["monotone"] >= 0.5), "low": first(cdf["high"] >= 0.5)}
    return {name: values[place] for name, place in (places | {"high": last}).items()}
