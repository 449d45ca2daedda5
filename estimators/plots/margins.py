"""Margin against respondents: a line per epsilon, and the direct question below them all."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from estimators.plots.curves import draw_curves, figure_of_curves
from estimators.plots.panels import MarginPanel
from estimators.plots.paper import GREY, as_drawn, finish_panel, with_unit


def draw_margins(panels: Sequence[MarginPanel]) -> Figure:
    figure = figure_of_curves(panels, _draw_panel)
    direct = Line2D([], [], color=GREY, linestyle="dashed", label="asked directly")
    figure.legend(handles=[direct], loc="outside lower left")
    return figure


def _draw_panel(axes: Axes, panel: MarginPanel) -> None:
    scale, direct = as_drawn(panel.unit), panel.direct
    margins = scale * np.array(direct.values)
    axes.plot(direct.respondents, margins, color=GREY, linestyle="dashed")
    draw_curves(axes, panel.curves, scale)
    unit = "percentage points" if panel.unit is None else panel.unit
    finish_panel(axes, panel.title, "Respondents", with_unit("Margin", unit))
