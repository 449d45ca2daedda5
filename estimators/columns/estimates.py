"""The table of estimates of a data set, whoever randomized it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import require
from estimators.columns.design_file import MatrixDesign, RowDesign
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import normal_quantile, wilson_ends
from estimators.shares.possible import norm_sub
from estimators.shares.spread import Array
from estimators.tables.rows import SHARE, Row, blank_row, plain
from estimators.tables.table import estimate_table


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
    found = [foreign_rows(column, confidence, rows) for column in frame.randomized.values()]
    return [row | {"group": group} for question in found for row in question]


def foreign_rows(
    column: Randomized, confidence: float = CONFIDENCE, rows: NDArray[Any] | None = None
) -> list[Row]:
    """Return a row per truth of a column that somebody else randomized (math 17)."""
    design = column.channel
    assert isinstance(design, MatrixDesign | RowDesign)
    counts = column.counts(rows)
    n = int(counts.sum())
    require(n >= 2, "no_reports.two", column.name)
    shares = counts @ column.scores / n
    whole = counts @ (column.scores - shares) ** 2 / (n * (n - 1))
    weights = counts[:, None, None] * design.score_variances(column.reports)
    possible, noises = norm_sub(shares), weights.sum(axis=0) / n**2
    noise = noises @ shares
    errors = np.sqrt(whole)
    low, high, method = _ends(column, design, counts, confidence)
    figures = {
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
    common = {"method": method, "confidence": confidence, "n": n, "question": column.name}
    lists = zip(*(plain(values) for values in figures.values()), strict=True)
    return [
        blank_row(SHARE, option, label)
        | common
        | dict(zip(figures, row, strict=True))
        | {"epsilon": None if design.epsilon is None else str(round(design.epsilon, 4))}
        for option, (label, row) in enumerate(zip(column.labels, lists, strict=True))
    ]


def _ends(
    column: Randomized, design: MatrixDesign | RowDesign, counts: Array, confidence: float
) -> tuple[Array, Array, str]:
    """Return Wilson's interval through the channel of a yes/no design, else the normal one."""
    n = counts.sum()
    if isinstance(design, MatrixDesign) and design.matrix.shape == (2, 2):
        ends = wilson_ends(counts, np.full(2, n), confidence)
        own, other = np.diag(design.matrix), 1 - np.diag(design.matrix)[::-1]
        mapped = [(end - other) / (own - other) for end in ends]
        # A design may say yes more often to those who mean no.
        return np.minimum(*mapped), np.maximum(*mapped), "wilson"
    shares = counts @ column.scores / n
    half = normal_quantile(confidence) * np.sqrt(
        counts @ (column.scores - shares) ** 2 / (n * (n - 1))
    )
    return shares - half, shares + half, "normal"
