"""The price of trusting no curator: how many times as many respondents the same error takes."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from estimators.plots.panels import PricePanel
from estimators.plots.paper import (
    BETWEEN_MARKERS,
    GREY,
    epsilon_legend,
    finish_panel,
    panel_grid,
    styles,
)


def draw_prices(panels: Sequence[PricePanel]) -> Figure:
    """One panel per question, the same colours in all of them."""
    figure, places = panel_grid(len(panels))
    for panel, axes in zip(panels, places, strict=True):
        _draw_panel(axes, panel)
    epsilon_legend(figure, (curve.epsilon for curve in panels[0].curves))
    return figure


def _draw_panel(axes: Axes, panel: PricePanel) -> None:
    axes.axhline(1, color=GREY, linewidth=0.8)
    for curve, (colour, marker) in zip(panel.curves, styles(), strict=False):
        axes.plot(
            curve.ratio.respondents,
            curve.ratio.values,
            color=colour,
            marker=marker,
            markevery=BETWEEN_MARKERS,
        )
    finish_panel(
        axes,
        panel.title,
        "Respondents of the local survey",
        "Times as many as a trusted\ncurator needs for the same error",
    )
