"""Margin against respondents: a line per epsilon, and the direct question below them all."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from estimators.plots.panels import Line, MarginPanel
from estimators.plots.paper import (
    BETWEEN_MARKERS,
    GREY,
    as_drawn,
    epsilon_legend,
    finish_panel,
    panel_grid,
    styles,
    with_unit,
)
from estimators.spread import Array


def draw_margins(panels: Sequence[MarginPanel]) -> Figure:
    """One panel per question, the same colours in all of them."""
    figure, places = panel_grid(len(panels))
    for panel, axes in zip(panels, places, strict=True):
        _draw_panel(axes, panel)
    epsilon_legend(figure, (curve.epsilon for curve in panels[0].curves))
    direct = Line2D([], [], color=GREY, linestyle="dashed", label="asked directly")
    figure.legend(handles=[direct], loc="outside lower left")
    return figure


def _draw_panel(axes: Axes, panel: MarginPanel) -> None:
    scale = as_drawn(panel.unit)
    axes.plot(*_points(panel.direct, scale), color=GREY, linestyle="dashed")
    for curve, (colour, marker) in zip(panel.curves, styles(), strict=False):
        points = _points(curve.margin, scale)
        axes.plot(*points, color=colour, marker=marker, markevery=BETWEEN_MARKERS)
    unit = "percentage points" if panel.unit is None else panel.unit
    finish_panel(axes, panel.title, "Respondents", with_unit("Margin", unit))


def _points(line: Line, scale: float) -> tuple[tuple[float, ...], Array]:
    return line.respondents, scale * np.array(line.values)
