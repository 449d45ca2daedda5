"""The table of estimates of a data set, whoever randomized it."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import require
from estimators.columns.design_file import ROUNDING, MatrixDesign, RowDesign
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import clopper_pearson_ends, normal_quantile, wilson_ends
from estimators.shares.possible import norm_sub
from estimators.shares.spread import Array
from estimators.tables.rows import SHARE, Row, blank_row, method_name, plain
from estimators.tables.table import estimate_table


def estimate_by(
    frame: Frame, by: str, confidence: float = CONFIDENCE, exact: bool = False
) -> list[Row]:
    """Return the estimates for each value of a plain column, which the rows hold as `group`.

    Data in which the column is missing are in none.
    """
    levels, places = frame.levels(by)
    return [
        row
        for place, level in enumerate(levels)
        for row in estimate_frame(frame, confidence, exact, places == place, level)
    ]


def estimate_frame(
    frame: Frame,
    confidence: float = CONFIDENCE,
    exact: bool = False,
    rows: NDArray[Any] | None = None,
    group: str = "",
) -> list[Row]:
    """Return the estimates of every randomized question, from all rows or from those selected."""
    if frame.survey is not None:
        return estimate_table(frame.survey, frame.tallies(rows), confidence, exact, group)
    found = [foreign_rows(column, confidence, exact, rows) for column in frame.randomized.values()]
    return [row | {"group": group} for question in found for row in question]


def design_row(column: Randomized, n: int) -> Row:
    """Return how somebody else randomized a column, and how many of the n rows lack a report."""
    design = column.channel
    assert isinstance(design, MatrixDesign | RowDesign)
    common = {"question": column.name, "missing": n - int(column.asked.sum())}
    if isinstance(design, RowDesign):
        return common | {"p_column": design.p_column, "q_column": design.q_column}
    # JSON has no infinity: epsilon is null where some answers are certain.
    certain = math.isinf(design.epsilon)
    return common | {
        "reports": list(design.reports),
        "truths": list(design.truths),
        "matrix": design.matrix.tolist(),
        "epsilon": None if certain else design.epsilon,
        "certain": certain,
    }


def foreign_rows(
    column: Randomized,
    confidence: float = CONFIDENCE,
    exact: bool = False,
    rows: NDArray[Any] | None = None,
) -> list[Row]:
    """Return a row per truth of a column that somebody else randomized (math 17)."""
    design = column.channel
    assert isinstance(design, MatrixDesign | RowDesign)
    counts = column.counts(rows)
    n = int(counts.sum())
    require(n >= 2, "no_reports.two", column.name)
    low, high, methods = _ends(column, design, counts, confidence, exact)
    figures = _figures(column, design, counts, low, high)
    reported = _reported(column, design, counts)
    common = {"confidence": confidence, "n": n, "question": column.name}
    lists = zip(*(plain(values) for values in figures.values()), strict=True)
    return [
        blank_row(SHARE, option, label)
        | common
        | dict(zip(figures, row, strict=True))
        | {"method": methods[option], "epsilon": _epsilon_text(design)}
        | {"reported_count": reported.get(label), "reported_share": _per(reported.get(label), n)}
        for option, (label, row) in enumerate(zip(column.labels, lists, strict=True))
    ]


def _figures(
    column: Randomized, design: MatrixDesign | RowDesign, counts: Array, low: Array, high: Array
) -> dict[str, NDArray[Any]]:
    """Return the figures of all truths by name, given the ends of their intervals."""
    n = int(counts.sum())
    shares = counts @ column.scores / n
    whole = counts @ (column.scores - shares) ** 2 / (n * (n - 1))
    weights = counts[:, None, None] * design.score_variances(column.reports)
    possible, noises = norm_sub(shares), weights.sum(axis=0) / n**2
    noise, errors = noises @ shares, np.sqrt(whole)
    return {
        "value": shares,
        "low": low,
        "high": high,
        "noise_variance": noise,
        "sampling_variance": whole - noise,
        "noise_error": np.sqrt(noises @ possible),
        "sampling_error": np.sqrt(np.maximum(whole - noise, 0.0)),
        "standard_error": errors,
        "asked": np.full(len(shares), n),
        "share": shares,
        "possible_share": possible,
        "total": n * shares,
        "total_noise_variance": n**2 * noise,
        "total_sampling_variance": n**2 * (whole - noise),
        "total_standard_error": n * errors,
        "total_low": n * low,
        "total_high": n * high,
        "flag": (high < 0) | (low > 1),
    }


def _epsilon_text(design: MatrixDesign | RowDesign) -> str | None:
    return None if design.epsilon is None else str(round(design.epsilon, 4))


def _per(count: int | None, n: int) -> float | None:
    return None if count is None else count / n


def _reported(
    column: Randomized, design: MatrixDesign | RowDesign, counts: Array
) -> dict[str, int]:
    """Count the reports that name a truth; none if reports and truths have other names."""
    if design.reports != design.truths:
        return {}
    found = dict.fromkeys(design.truths, 0)
    for report, count in zip(column.reports, counts, strict=True):
        found[design.as_written(report)] += int(count)
    return found


def _ends(
    column: Randomized,
    design: MatrixDesign | RowDesign,
    counts: Array,
    confidence: float,
    exact: bool,
) -> tuple[Array, Array, list[str]]:
    """Return the interval of each share, and its method.

    A score with two values is a share of the reports in another unit, so its interval is Wilson's
    or Clopper and Pearson's. Other scores have a normal one. If all reports score alike, that would
    have no width: then the score counts as a share between its extremes, whose variance is at least
    as large.
    """
    n = counts.sum()
    possible = design.possible_scores(column.reports)
    least, reach = possible.min(axis=0), np.ptp(possible, axis=0)
    shares = counts @ column.scores / n
    away = np.minimum(possible - least, least + reach - possible)
    is_bit = (away <= ROUNDING * reach).all(axis=0)
    require(not exact or bool(is_bit.all()), "no_exact_interval", column.name)
    as_counts = np.clip(n * (shares - least) / reach, 0, n)
    ends_of = clopper_pearson_ends if exact else wilson_ends
    of_bits = ends_of(
        np.round(as_counts) if exact else as_counts, np.full(len(shares), n), confidence
    )
    half = normal_quantile(confidence) * np.sqrt(
        counts @ (column.scores - shares) ** 2 / (n * (n - 1))
    )
    by_share = is_bit | (half <= ROUNDING * reach)
    low = np.where(by_share, least + reach * of_bits[0], shares - half)
    high = np.where(by_share, least + reach * of_bits[1], shares + half)
    return low, high, [method_name(exact) if bit else "normal" for bit in by_share]
