"""Figures to download: results, drawn once per snapshot, language and format, and plans."""

from functools import lru_cache

from estimators.plots.panels import MarginPanel, Result, ResultPanel
from estimators.plots.plotting import margin_bytes, result_bytes
from estimators.tables.rows import MEAN, Row
from estimators.tables.table import CONFIDENCE
from server.door import Door
from server.languages import percent, say
from server.results.figures import Figure

TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
# Some 100 kB each.
MOST_KEPT = 128
# Drawing takes a good part of a second, one figure at a time: more threads must not wait for it,
# since they are needed for reports.
MOST_WAITING = 4

_DRAWING = Door(MOST_WAITING, "drawing_busy", "too many figures are being drawn")


@lru_cache(MOST_KEPT)
def drawn(panel: ResultPanel | MarginPanel, format: str) -> bytes:
    """The figure as a file; refused while too many others are being drawn."""
    with _DRAWING:
        if isinstance(panel, MarginPanel):
            return margin_bytes([panel], format)
        return result_bytes(panel, format)


def panel_of(figure: Figure) -> ResultPanel:
    """What is drawn of a question, in the words of the reader's language."""
    rows = figure.bars or figure.levels or figure.facts[:1]
    return ResultPanel(
        figure.question.prompt,
        tuple(map(_result, rows)),
        are_levels=bool(figure.levels),
        unit=None if figure.bars else figure.question.unit,
        estimated=say("results.estimated"),
        reported=say("results.reported"),
        interval=say("results.interval_heading", confidence=percent(CONFIDENCE, decimals=0)),
        note=say("results.figure.reports", n=figure.n),
    )


def _result(row: Row) -> Result:
    label = say("results.mean") if row["quantity"] == MEAN else row["label"]
    return Result(label, row["value"], row["low"], row["high"], row["reported_share"])
