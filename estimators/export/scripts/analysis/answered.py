"""A mean of those who answered, where people can be silent, and the options for silence (5.5)."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.shares import net_promoters, score_row, share_columns, total_columns

Array = NDArray[np.float64]
Row = dict[str, Any]
# The variances of a sum and of the share who answered, and their covariance.
Pair = NDArray[np.float64]


def answered_rows(
    shape: Row, counts: Array, n: int, z: float, lo: float, step: float
) -> tuple[list[Row], bool]:
    """Return the rows of the mean and of silence, and whether it is clear that some answered."""
    window = Window(shape)
    moments = [float(counts @ scores) / n for scores in (window.given, window.level, window.square)]
    noise, least = window.noise(*moments) / n, window.noise(*possible_moments(shape, *moments)) / n
    whole = variances(window.level, window.given, counts, n)
    part, pairs = moments[1], (noise, whole - noise, least)
    own = lo * moments[0] + step * part, [scaled(pair, step, lo) for pair in pairs]
    known = moments[0] - z * math.sqrt(least[1] + max(whole[1] - noise[1], 0)) > 0
    rows = [ratio_row("mean", *own, moments[0], n, z, known)]
    columns = share_columns(shape, counts, n, z)
    rows += [
        {"quantity": "silent", "option": shape["top"] + 1 + option}
        | dict(zip(columns, figures, strict=True))
        for option, figures in enumerate(zip(*columns.values(), strict=True))
    ]
    if known and (shape["top"], lo, step) == (10, 0, 1):
        rows.append(promoters_row(window, counts, n, z))
    return rows, known


class Window:
    """The unbiased scores of every report, and their noise."""

    def __init__(self, shape: Row) -> None:
        keep, near = shape["threshold"] / 2**32, shape["width"] + 1
        far, self.own = shape["top"] + shape["silent"] * near, shape["top"] + near
        self.shape, self.cells, self.away = shape, near + far, (1 - keep) / far
        self.slope = keep - self.away * near
        self.spread = shape["width"] * (shape["width"] + 2) / 12
        self.middles = np.arange(self.own) - shape["width"] / 2
        self.level = self.unbiased(self.middles)
        self.given = self.unbiased(np.ones(self.own))
        self.square = self.unbiased(self.middles**2 - self.spread)

    def unbiased(self, figures: Array) -> Array:
        """Return figures whose expectation is that of the true level, and 0 for silence."""
        padded = np.append(figures, np.zeros(self.cells - self.own))
        scores: Array = (padded - self.away * figures.sum()) / self.slope
        return scores

    def noise(self, given: float, first: float, second: float) -> Pair:
        """Return the noise per respondent, from the averages of answered, level and square."""
        slope, line = self.slope, self.away * self.middles.sum()
        one, square = self.away * self.own, self.away * (self.middles**2).sum()
        part = square - line**2 + slope * (second + self.spread * given)
        part -= 2 * line * slope * first + slope**2 * second
        base = one - one**2 + slope * given * (1 - 2 * one - slope)
        both = line - line * one + slope * (first * (1 - one - slope) - line * given)
        return np.array([part, base, both]) / slope**2


def possible_moments(shape: Row, given: float, first: float, second: float) -> list[float]:
    """Return the possible averages of answered, level and square that are nearest."""
    share = min(max(given, 0), 1)
    level = min(max(first, 0), share * shape["top"])
    lowest = level**2 / share if share > 0 else 0
    return [share, level, min(max(second, lowest), level * shape["top"])]


def variances(part: Array, base: Array, counts: Array, n: int) -> Pair:
    """Return the variances of the averages of two scores of the same reports."""
    away = [scores - counts @ scores / n for scores in (part, base)]
    if n == 1:
        return np.array([np.ptp(part) ** 2 / 4, np.ptp(base) ** 2 / 4, 0])
    products = [away[0] ** 2, away[1] ** 2, away[0] * away[1]]
    return np.array([counts @ product for product in products]) / (n * (n - 1))


def scaled(pair: Pair, step: float, lo: float) -> Pair:
    """Return the variances if every answer is lo + step level."""
    part, base, both = pair
    return np.array(
        [step**2 * part + 2 * step * lo * both + lo**2 * base, base, step * both + lo * base]
    )


def of_ratio(pair: Pair, ratio: float) -> float:
    """Return the variance of the sum minus `ratio` times the share."""
    return float(pair[0] - 2 * ratio * pair[2] + ratio**2 * pair[1])


def allowed(pair: Pair) -> Pair:
    """Return variances that are not negative, and a covariance that they allow."""
    part, base = max(pair[0], 0), max(pair[1], 0)
    most = math.sqrt(part * base)
    return np.array([part, base, min(max(pair[2], -most), most)])


def ratio_row(
    quantity: str, part: float, pairs: list[Pair], base: float, n: int, z: float, known: bool
) -> Row:
    """Return the row of a sum divided by the share who answered, with Fieller's interval."""
    noise, sampling, least = pairs
    total = total_columns(n, part, noise[0], sampling[0], math.sqrt(least[0]), z)
    if not known:
        return {"quantity": quantity, "option": "", "value": math.nan} | total
    value = part / base
    figures = [of_ratio(pair, value) / base**2 for pair in (noise, sampling, least)]
    row = score_row(quantity, value, figures[0], figures[1], math.sqrt(figures[2]), z)
    own, share, both = least + allowed(sampling)
    low, high = fieller(np.array([part]), base, own, share, both, z)
    return row | {"low": float(low[0]), "high": float(high[0])} | total


def fieller(
    part: Array, base: float, own: Any, share: float, both: Any, z: float
) -> tuple[Array, Array]:
    """Return the ends of all r with |part - r base| <= z errors; NaN if there are none (14, 15)."""
    bend, middle, rest = base**2 - z**2 * share, part * base - z**2 * both, part**2 - z**2 * own
    if bend <= 0 or base <= 0:
        return np.full(len(part), np.nan), np.full(len(part), np.nan)
    half = np.sqrt(np.maximum(middle**2 - bend * rest, 0))
    varies = own > 1e-12 * part**2
    low, high = (np.where(varies, (middle + sign * half) / bend, np.nan) for sign in (-1, 1))
    return low, high


def promoters_row(window: Window, counts: Array, n: int, z: float) -> Row:
    """Return the net promoter score of those who answered, by the best unbiased scores."""
    shape, target = window.shape, net_promoters(np.arange(11))
    near, silent = shape["width"] + 1, shape["silent"]
    starts = np.append(np.arange(11), 10 + near * np.arange(1, silent + 1))
    y = np.arange(window.cells)[:, None]
    keep = shape["threshold"] / 2**32
    matrix = np.where((starts <= y) & (y < starts + near), keep / near, window.away)
    weighted = matrix / matrix.mean(axis=1, keepdims=True)
    best = np.linalg.solve(matrix.T @ weighted, weighted.T).T[:, :11]
    scores = best @ target
    part, base, square = (
        float(counts @ each) / n for each in (scores, window.given, best @ target**2)
    )
    whole = allowed(variances(scores, window.given, counts, n))
    truth = np.array([square - part**2, base - base**2, part - part * base]) + whole
    noise = whole - truth / n
    share = min(max(base, 0), 1)
    kept = max(whole[0] - min(max(truth[0] / n, 0), share / n), 0)
    least = allowed(np.array([kept, window.noise(share, 0, 0)[1] / n, noise[2]]))
    return ratio_row("net_promoters", part, [noise, whole - noise, least], base, n, z, True)
