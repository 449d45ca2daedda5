"""The rows of a question about levels: mean, quantiles, cumulative shares, distribution."""

import numpy as np

from estimators.confidence import CONFIDENCE
from estimators.ordinal.levels import MAX_LEVELS, LevelEstimates
from estimators.shares.intervals import Interval
from estimators.tables.rows import MEAN, NET_PROMOTERS, Row, blank_row, plain, score_row

AT_MOST, LEVEL = "at_most", "level"
QUANTILES = {f"quantile_{percent:02}": percent / 100 for percent in (5, 25, 50, 75, 95)}
MIDDLE = 0.5
# Of a finer grid so many cumulative shares are given, evenly spaced.
MOST_CUMULATIVE = 20
PROFILE, GROUPED, POINT = "profile", "profile_of_bins", "em"


def empty_level_rows() -> list[Row]:
    """Return the rows of a question about levels that has no reports."""
    return [blank_row(MEAN), *(_quantile_row(quantity) for quantity in QUANTILES)]


def level_rows(estimates: LevelEstimates, confidence: float) -> list[Row]:
    """Return the mean, then the shares of levels if the grid is not too fine for them.

    Quantiles and cumulative shares have an interval at 95 % only, and the shares by EM have none.
    """
    mean, n = estimates.mean, estimates.n
    rows = [score_row(MEAN, mean, mean.scaled(n), confidence)]
    if estimates.top >= MAX_LEVELS:
        return rows
    rows.extend(quantile_rows(estimates, confidence))
    if (estimates.top, estimates.lo, estimates.step) == (10, 0, 1):
        promoters = estimates.net_promoters()
        rows.append(score_row(NET_PROMOTERS, promoters, promoters.scaled(n), confidence))
    rows.extend(cumulative_rows(estimates, confidence))
    rows.extend(distribution_rows(estimates))
    return rows


def quantile_rows(estimates: LevelEstimates, confidence: float) -> list[Row]:
    """Return the rows of the 5, 25, 50, 75 and 95 % quantiles (math 4)."""
    found = {name: estimates.quantile(chance) for name, chance in QUANTILES.items()}
    return [
        _quantile_row(name)
        | {"value": quantile.value, "method": _method(estimates)}
        | _ends(quantile.interval, confidence)
        for name, quantile in found.items()
    ]


def _quantile_row(quantity: str) -> Row:
    chance = QUANTILES[quantity]
    label = "median" if chance == MIDDLE else f"{100 * chance:g} % quantile"
    return blank_row(quantity, label=label)


def cumulative_rows(estimates: LevelEstimates, confidence: float) -> list[Row]:
    """Return rows of P(answer <= level), fitted so that they never decrease."""
    cumulative = estimates.cumulative
    shares = plain(cumulative.fitted)
    return [
        _level_row(AT_MOST, estimates, level, shares[level])
        | {"method": _method(estimates)}
        | _ends(cumulative.interval(level), confidence)
        for level in listed_levels(estimates.top)
    ]


def listed_levels(top: int) -> list[int]:
    """Return the levels below the top whose cumulative shares are given, evenly spaced."""
    count = min(top, MOST_CUMULATIVE)
    places = np.linspace(0, top - 1, count) if top > count else np.arange(top)
    return [int(place) for place in np.floor(places + 0.5)]


def distribution_rows(estimates: LevelEstimates) -> list[Row]:
    """Return rows of each level's share by EM, for drawing only: without intervals (math 5)."""
    return [
        _level_row(LEVEL, estimates, level, share) | {"method": POINT}
        for level, share in enumerate(plain(estimates.distribution()))
    ]


def _level_row(quantity: str, estimates: LevelEstimates, level: int, share: float) -> Row:
    label = f"{estimates.lo + estimates.step * level:.10g}"
    return blank_row(quantity, level, label) | {"value": share, "share": share}


def _ends(interval: Interval, confidence: float) -> Row:
    return {"low": interval.low, "high": interval.high} if confidence == CONFIDENCE else {}


def _method(estimates: LevelEstimates) -> str:
    return GROUPED if estimates.cumulative.is_grouped else PROFILE
