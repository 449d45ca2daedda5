"""The price of trusting no curator: how many times as many respondents the same error takes."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from estimators.plots.curves import draw_curves, figure_of_curves
from estimators.plots.panels import PricePanel
from estimators.plots.paper import GREY, finish_panel


def draw_prices(panels: Sequence[PricePanel]) -> Figure:
    return figure_of_curves(panels, _draw_panel)


def _draw_panel(axes: Axes, panel: PricePanel) -> None:
    axes.axhline(1, color=GREY, linewidth=0.8)
    draw_curves(axes, panel.curves)
    finish_panel(
        axes,
        panel.title,
        "Respondents of the local survey",
        "Times as many as a trusted\ncurator needs for the same error",
    )
