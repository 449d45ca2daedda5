"""One question's rows of the table of estimates as plain numbers to draw, in English."""

from collections.abc import Sequence

from client.core.question import Question
from estimators.plots.panels import Column, Result, ResultPanel
from estimators.tables.level_rows import LEVEL, QUANTILES
from estimators.tables.rows import MEAN, SHARE, SILENT, Row

# Of a longer list the largest shares are drawn.
MOST_BARS = 25


def question_panel(
    name: str, question: Question | None, rows: Sequence[Row], reported: bool = True
) -> ResultPanel:
    """Return bars of the shares, or the distribution of a number with a box plot, or its mean.

    Without a question, `name` is a column that somebody else randomized.
    """
    known = [row for row in rows if row["value"] is not None]
    shares = _largest([row for row in known if row["quantity"] == SHARE])
    quantiles = [row for row in known if row["quantity"] in QUANTILES]
    # The box needs the interval of every quantile.
    has_box = bool(quantiles) and all(row["low"] is not None for row in quantiles)
    means = [row for row in known if row["quantity"] == MEAN]
    if not means:
        # If there is no mean, the options for silence are all that can be drawn.
        shares = shares or [row for row in known if row["quantity"] == SILENT]
    return ResultPanel(
        name if question is None else question.prompt,
        tuple(_result(row, reported) for row in shares or (quantiles if has_box else means)),
        columns=tuple(
            Column(float(row["label"]), row["value"])
            for row in known
            if has_box and not shares and row["quantity"] == LEVEL
        ),
        unit=None if shares or question is None else question.unit,
        estimated="Estimated",
        reported="Reported",
        interval=f"{100 * rows[0]['confidence']:g} % interval",
        note=f"{rows[0]['n']:,} randomized reports",
    )


def _largest(shares: list[Row]) -> list[Row]:
    if len(shares) <= MOST_BARS:
        return shares
    return sorted(shares, key=lambda row: -row["value"])[:MOST_BARS]


def _result(row: Row, reported: bool) -> Result:
    share = row["reported_share"] if reported else None
    return Result(row["label"], row["value"], row["low"], row["high"], share)
