"""The results of one question in one figure: estimates with intervals, and reported shares."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from estimators.plots.boxes import draw_box
from estimators.plots.panels import ResultPanel
from estimators.plots.paper import (
    COLOURS,
    GREY,
    LETTER,
    NOTE_LINE,
    WIDTH,
    add_title,
    all_lines,
    two_lines,
)

ESTIMATED, INTERVAL = COLOURS[0], "black"
# Hatched, so that not only the colour differs.
REPORTED: Any = {"facecolor": "white", "edgecolor": GREY, "hatch": "////", "linewidth": 0.6}
BAR = 0.36
# A bar that stands alone in its row.
ALONE = 0.6
# In inches: one option, the columns of levels, the box plot below them, title and legend.
ROW, COLUMNS, BOX, FRAME = 0.42, 2.4, 1.5, 1.2
# The part of the width for labels, and in inches one sign of the legend.
LABELS, SIGN = 0.36, 1.5
# The most that a box plot takes of a low figure: its labels need room.
MOST_BOX = 0.7


def draw_result(panel: ResultPanel, size: tuple[float, float] | None = None) -> Figure:
    """Draw the results of one question; nothing is clipped, not even below zero."""
    height = COLUMNS + BOX if panel.columns else ROW * len(panel.results)
    note = all_lines(panel.note, int((size[0] if size else WIDTH) / LETTER))
    width, whole = size or (WIDTH, height + FRAME + NOTE_LINE * len(note[1:]))
    figure = Figure(figsize=(width, whole))
    if panel.columns:
        box = min(BOX / max(whole - FRAME, BOX), MOST_BOX)
        axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(1 - box, box))
        _draw_levels(axes, panel)
        draw_box(below, panel.results)
        below.set_xlabel(panel.unit or "")
    else:
        axes = figure.subplots()
        _draw_rows(axes, panel, width)
    add_title(figure, panel.title, width)
    figure.legend(
        handles=_signs(panel),
        loc="outside lower left",
        ncols=min(3, max(int(width / SIGN), 1)),
        title="\n".join(note),
        alignment="left",
    )
    return figure


def _draw_rows(axes: Axes, panel: ResultPanel, width: float) -> None:
    """Draw a row per option, the first on top, its reported share under its estimate."""
    places = range(len(panel.results))
    for place, result in zip(places, panel.results, strict=True):
        at = place if result.reported is None else place - BAR / 2
        if panel.unit is not None:
            axes.plot([result.value], [at], "o", color=ESTIMATED, zorder=4)
        else:
            thickness = ALONE if result.reported is None else BAR
            axes.barh(at, result.value, thickness, color=ESTIMATED)
        if result.reported is not None:
            axes.barh(place + BAR / 2, result.reported, BAR, **REPORTED)
        _draw_interval(axes, (result.low, result.high), (at, at))
    letters = max(int(LABELS * width / LETTER), 8)
    labels = ["\n".join(two_lines(result.label, letters)) for result in panel.results]
    axes.set_yticks(list(places), labels)
    axes.set_ylim(len(panel.results) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")
    if panel.unit is None:
        axes.axvline(0, color=GREY, linewidth=0.6)
        axes.xaxis.set_major_formatter(_per_cent())
    else:
        axes.set_xlabel(panel.unit)


def _draw_levels(axes: Axes, panel: ResultPanel) -> None:
    places = [column.level for column in panel.columns]
    width = 0.8 * (places[1] - places[0])
    axes.bar(places, [column.share for column in panel.columns], width, color=ESTIMATED)
    axes.grid(True, axis="y")
    axes.yaxis.set_major_formatter(_per_cent())


def _draw_interval(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    axes.plot(x, y, color=INTERVAL, linewidth=1.1, zorder=3)


def _per_cent() -> FuncFormatter:
    return FuncFormatter(lambda share, _: f"{100 * share:.6g}%")


def _signs(panel: ResultPanel) -> list[Patch | Line2D]:
    estimated = Patch(color=ESTIMATED, label=panel.estimated)
    interval = Line2D([], [], color=INTERVAL, linewidth=1.1, label=panel.interval)
    if all(result.reported is None for result in panel.results):
        return [estimated, interval]
    return [estimated, interval, Patch(label=panel.reported, **REPORTED)]
