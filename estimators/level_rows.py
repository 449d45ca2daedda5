"""The rows of a question whose answers are levels: mean, median, and the shares of levels."""

from collections.abc import Mapping

from estimators.levels import MAX_LEVELS, LevelEstimates, Quantile
from estimators.rows import MEAN, MEDIAN, NET_PROMOTERS, Row, blank_row, plain, score_row
from estimators.spread import Array

AT_MOST, LEVEL = "at_most", "level"


def level_rows(estimates: LevelEstimates, confidence: float) -> list[Row]:
    """The mean first; the shares of levels only where the grid is not too fine for them."""
    rows = [score_row(MEAN, estimates.mean, confidence)]
    if estimates.top >= MAX_LEVELS:
        return rows
    rows.append(median_row(estimates.median(confidence)))
    if (estimates.top, estimates.lo, estimates.step) == (10, 0, 1):
        rows.append(score_row(NET_PROMOTERS, estimates.net_promoters(), confidence))
    rows.extend(cdf_rows(estimates, confidence))
    rows.extend(distribution_rows(estimates, confidence))
    return rows


def median_row(median: Quantile) -> Row:
    figures = {"value": median.value, "low": median.interval.low, "high": median.interval.high}
    return blank_row(MEDIAN) | figures | {"method": "pointwise"}


def cdf_rows(estimates: LevelEstimates, confidence: float) -> list[Row]:
    """P(answer <= level), unbiased, with the nearest that never falls beside it."""
    cdf = estimates.cdf(confidence)
    columns = {"value": cdf.shares, "low": cdf.low, "high": cdf.high, "monotone": cdf.monotone}
    return _rows(AT_MOST, estimates, columns, cdf.method)


def distribution_rows(estimates: LevelEstimates, confidence: float) -> list[Row]:
    """The share of each level by EM, with intervals by resampling (math 5)."""
    found = estimates.distribution()
    low, high = found.intervals(confidence)
    return _rows(LEVEL, estimates, {"value": found.shares, "low": low, "high": high}, "bootstrap")


def _rows(
    quantity: str, estimates: LevelEstimates, columns: Mapping[str, Array], method: str
) -> list[Row]:
    lists = {name: plain(values) for name, values in columns.items()}
    count = len(lists["value"])
    return [
        blank_row(quantity, level, f"{value:.10g}")
        | {name: values[level] for name, values in lists.items()}
        | {"share": lists["value"][level], "method": method}
        for level, value in enumerate(estimates.values[:count].tolist())
    ]
