"""The results of one question in one figure: estimates with intervals, and reported shares."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from estimators.plots.boxes import draw_box
from estimators.plots.panels import ResultPanel
from estimators.plots.paper import COLOURS, GREY, WIDTH, two_lines

ESTIMATED, INTERVAL = COLOURS[0], "black"
# Hatched, so that not only the colour differs.
REPORTED: Any = {"facecolor": "white", "edgecolor": GREY, "hatch": "////", "linewidth": 0.6}
BAR = 0.36
# In inches: one option, the columns of levels, the box plot below them, title and legend.
ROW, COLUMNS, BOX, FRAME = 0.42, 2.4, 1.5, 1.2
# In letters.
TITLE_WIDTH, LABEL_WIDTH = 64, 30


def draw_result(panel: ResultPanel) -> Figure:
    """Draw the results of one question; nothing is clipped, not even below zero."""
    height = COLUMNS + BOX if panel.columns else ROW * len(panel.results)
    figure = Figure(figsize=(WIDTH, height + FRAME))
    if panel.columns:
        axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(COLUMNS, BOX))
        _draw_levels(axes, panel)
        draw_box(below, panel.results)
        below.set_xlabel(panel.unit or "")
    else:
        axes = figure.subplots()
        _draw_rows(axes, panel)
    axes.set_title("\n".join(two_lines(panel.title, TITLE_WIDTH)))
    figure.legend(
        handles=_signs(panel),
        loc="outside lower left",
        ncols=3,
        title=panel.note,
        alignment="left",
    )
    return figure


def _draw_rows(axes: Axes, panel: ResultPanel) -> None:
    """Draw a row per option, the first on top, its reported share under its estimate."""
    places = range(len(panel.results))
    for place, result in zip(places, panel.results, strict=True):
        if result.reported is not None:
            axes.barh(place - BAR / 2, result.value, BAR, color=ESTIMATED)
            axes.barh(place + BAR / 2, result.reported, BAR, **REPORTED)
        at = place - BAR / 2 if result.reported is not None else place
        _draw_interval(axes, (result.low, result.high), (at, at))
        if result.reported is None:
            axes.plot([result.value], [at], "o", color=ESTIMATED, zorder=4)
    labels = ["\n".join(two_lines(result.label, LABEL_WIDTH)) for result in panel.results]
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
