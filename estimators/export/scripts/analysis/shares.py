"""Shares of options: estimates, errors, intervals, and figures of a rating scale."""

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting import channel, support
from analysis.noise import choice_noise, noise
from analysis.possible import norm_sub, possible_shares

Array = NDArray[np.float64]
Row = dict[str, Any]


def option_rows(question: Row, counts: Array, n: int, z: float) -> list[Row]:
    """Return one row per option, and the rows of a scale as a whole."""
    columns = share_columns(question["mechanism"], counts, n, z)
    rows = [
        {"quantity": "share", "option": option} | dict(zip(columns, figures, strict=True))
        for option, figures in enumerate(zip(*columns.values(), strict=True))
    ]
    return rows + scale_rows(question, counts, n, z)


def share_columns(shape: Row, counts: Array, n: int, z: float) -> dict[str, Array]:
    """Return every figure of every option, as columns (0.5, 7, 12)."""
    (p, q), (reported, asked) = channel(shape), support(shape, counts, n)
    about = np.where(asked > 0, asked, np.nan)
    lam = reported / about
    share = (lam - q) / (p - q)
    clipped = np.clip(share, 0, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        both = lam * (1 - lam) / ((p - q) ** 2 * (1 - 1 / about))
        # Empty at a share of 0 or 1, where it is infinite.
        effect = finite(n / about * (1 + noise(clipped, p, q) / (clipped * (1 - clipped))))
    truth = np.where(asked == 1, 0.25, both - noise(share, p, q))
    unasked = 1 - about / n
    noise_variance, sampling_variance = (noise(share, p, q) + unasked * truth) / about, truth / n
    low, high = wilson(reported, about, p, q, z)
    all_at_once = NormalDist().inv_cdf(1 - (1 - NormalDist().cdf(z)) / len(share))
    together = wilson(reported, about, p, q, all_at_once)
    noise_error = np.sqrt((noise(clipped, p, q) + unasked * np.maximum(truth, 0)) / about)
    sampling_error = np.sqrt(np.maximum(truth / n, 0))
    return {
        **{"value": share, "low": low, "high": high},
        **{"noise_variance": noise_variance, "sampling_variance": sampling_variance},
        **{"noise_error": noise_error, "sampling_error": sampling_error},
        "standard_error": np.hypot(noise_error, sampling_error),
        **{"asked": asked, "reported_count": reported, "reported_share": lam},
        "total": share * n,
        "total_noise_variance": n**2 * noise_variance,
        "total_sampling_variance": n**2 * sampling_variance,
        "total_standard_error": n * np.sqrt(np.maximum(noise_variance + sampling_variance, 0)),
        **{"total_low": n * low, "total_high": n * high},
        **{"share": share, "possible_share": possible_shares(shape, share)},
        **{"simultaneous_low": together[0], "simultaneous_high": together[1]},
        **{"design_effect": effect, "effective_n": n / effect},
        "flag": (high < 0) | (low > 1),
    }


def finite(values: Array) -> Array:
    """Replace infinite values by NaN."""
    return np.where(np.isfinite(values), values, np.nan)


def wilson(count: Array, n: Array, p: float, q: float, z: float) -> tuple[Array, Array]:
    """Return Wilson's interval of the reported share, mapped through the channel (7)."""
    middle = (count + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * np.sqrt(count * (n - count) / n + z**2 / 4)
    return (middle - half - q) / (p - q), (middle + half - q) / (p - q)


def scale_rows(question: Row, counts: Array, n: int, z: float) -> list[Row]:
    """Return the mean and the net promoter score of a scale, among those who gave a level."""
    if "scale" not in question:
        return []
    shape, lo, levels = question["mechanism"], question["scale"]["lo"], question["scale"]["levels"]
    share = share_columns(shape, counts, n, z)["share"]
    place = np.arange(len(share))
    answered = (place < levels).astype(float)
    if answered @ share <= 0:
        return []
    targets = {"mean": answered * (lo + place)}
    if (lo, levels) == (0, 11):
        targets["net_promoters"] = answered * net_promoters(place)
    return [
        score_row(quantity, *ratio(shape, share, n, target, answered), z)
        | total_columns(n, *linear(shape, share, n, target), z)
        for quantity, target in targets.items()
    ]


def net_promoters(level: NDArray[np.int64]) -> Array:
    """Return 1 for levels 9 and 10, -1 for levels up to 6, else 0."""
    return (level >= 9).astype(float) - (level <= 6)


def ratio(shape: Row, share: Array, n: int, target: Array, base: Array) -> tuple[float, ...]:
    """Return target over base, linearised: value, both variances, and the noise error."""
    whole = base @ share
    value = target @ share / whole
    return value, *linear(shape, share, n, (target - value * base) / whole)[1:]


def linear(shape: Row, share: Array, n: int, h: Array) -> tuple[float, ...]:
    """Return the sum of h share: value, both variances, and the noise error."""
    everywhere = np.arange(len(share))
    noise_variance = h @ choice_noise(shape, share, n, everywhere) @ h
    possible = h @ choice_noise(shape, norm_sub(share), n, everywhere) @ h
    spread = h**2 @ share - (h @ share) ** 2
    sampling = (spread + noise_variance) / (n - 1) if n > 1 else np.ptp(h) ** 2 / 4
    return float(h @ share), noise_variance, sampling, math.sqrt(max(possible, 0))


def score_row(
    quantity: str, value: float, noise_var: float, sampling: float, error: float, z: float
) -> Row:
    """Return the row of one score, with its interval."""
    sampling_error = math.sqrt(max(sampling, 0))
    both = math.hypot(error, sampling_error)
    return {
        **{"quantity": quantity, "option": ""},
        **{"value": value, "low": value - z * both, "high": value + z * both},
        **{"noise_variance": noise_var, "sampling_variance": sampling, "noise_error": error},
        **{"sampling_error": sampling_error, "standard_error": both},
    }


def total_columns(
    n: int, value: float, noise_var: float, sampling: float, error: float, z: float
) -> Row:
    """Return the columns of the sum over all n respondents, from the figures of their mean."""
    half = z * n * math.hypot(error, math.sqrt(max(sampling, 0)))
    return {
        **{"total": n * value, "total_noise_variance": n**2 * noise_var},
        "total_sampling_variance": n**2 * sampling,
        "total_standard_error": n * math.sqrt(max(noise_var + sampling, 0)),
        **{"total_low": n * value - half, "total_high": n * value + half},
    }
