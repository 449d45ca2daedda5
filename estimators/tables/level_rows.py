"""The rows of a question about levels: mean, quantiles, cumulative shares, distribution.

Where people can be silent, all of them are about those who answered, and every option for silence
has the row of its share.
"""

from collections.abc import Sequence

import numpy as np

from estimators.confidence import CONFIDENCE
from estimators.ordinal.levels import MAX_LEVELS, LevelEstimates
from estimators.shares.intervals import Interval
from estimators.tables.rows import (
    MEAN,
    NET_PROMOTERS,
    SILENT,
    Row,
    blank_row,
    plain,
    score_row,
    share_rows,
)

AT_MOST, LEVEL = "at_most", "level"
QUANTILES = {f"quantile_{percent:02}": percent / 100 for percent in (5, 25, 50, 75, 95)}
MIDDLE = 0.5
# Of a finer grid so many cumulative shares are given, evenly spaced.
MOST_CUMULATIVE = 20
PROFILE, GROUPED, POINT = "profile", "profile_of_bins", "em"


def empty_level_rows(top: int, silence: Sequence[str]) -> list[Row]:
    """Return the rows of a question about levels that has no reports."""
    silent = [blank_row(SILENT, option, label) for option, label in enumerate(silence, top + 1)]
    return [blank_row(MEAN), *(_quantile_row(quantity) for quantity in QUANTILES), *silent]


def level_rows(
    estimates: LevelEstimates, silence: Sequence[str], confidence: float, exact: bool
) -> list[Row]:
    """Return the mean, the options for silence, then the levels if the grid is not too fine.

    Quantiles and cumulative shares have an interval at 95 % only, and the shares by EM have none.
    """
    mean = estimates.mean
    rows = [score_row(MEAN, mean, estimates.total, confidence)]
    if estimates.silent is not None:
        options = share_rows(estimates.silent, silence, confidence, exact)
        first = estimates.top + 1
        rows.extend(row | {"quantity": SILENT, "option": first + row["option"]} for row in options)
    if not mean.is_known:
        # It may be that nobody answered, so nothing is known about those who did.
        return rows + [_quantile_row(quantity) for quantity in QUANTILES]
    if estimates.top >= MAX_LEVELS:
        return rows
    rows.extend(quantile_rows(estimates, confidence))
    if (estimates.top, estimates.lo, estimates.step) == (10, 0, 1):
        promoters, total = estimates.net_promoters(), estimates.net_promoters_total()
        rows.append(score_row(NET_PROMOTERS, promoters, total, confidence))
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
