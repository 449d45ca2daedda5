"""Error against respondents: measured points on the promised lines, a curator's lines dashed."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy import special

from estimators.plots.curves import figure_of_curves
from estimators.plots.panels import ErrorCurve, ErrorPanel
from estimators.plots.paper import GREY, as_drawn, finish_panel, styles, with_unit
from estimators.spread import Array

# Points of a dash and of the gap behind it.
DASH = 4


def draw_errors(panels: Sequence[ErrorPanel]) -> Figure:
    figure = figure_of_curves(panels, _draw_panel)
    figure.legend(handles=_kinds(), loc="outside lower left", ncols=3)
    return figure


def _draw_panel(axes: Axes, panel: ErrorPanel) -> None:
    for number, (curve, style) in enumerate(zip(panel.curves, styles(), strict=False)):
        # Shifted dashes: where all curators err alike, every colour is still to be seen.
        shift = 2 * DASH * number / len(panel.curves)
        _draw_curve(axes, curve, style, as_drawn(panel.unit), shift)
    unit = "percentage points" if panel.unit is None else panel.unit
    finish_panel(axes, panel.title, "Respondents", with_unit("Standard error", unit))


def _draw_curve(
    axes: Axes, curve: ErrorCurve, style: tuple[str, str], scale: float, shift: float
) -> None:
    colour, marker = style
    promised, central, measured = (
        scale * np.array(line.values) for line in (curve.promised, curve.central, curve.measured)
    )
    axes.plot(curve.central.respondents, central, color=colour, linestyle=(shift, (DASH, DASH)))
    axes.plot(curve.promised.respondents, promised, color=colour)
    bars = np.abs(_by_chance(measured, curve.repeats) - measured)
    axes.errorbar(
        curve.measured.respondents, measured, yerr=bars, fmt=marker, color=colour, capsize=2
    )


def _by_chance(measured: Array, repeats: int) -> Array:
    """Between which errors the true one lies with 95 % confidence, for normal estimates.

    The sum of squares of so many of them, in units of their variance, is chi-square distributed.
    """
    quantiles = np.array([special.chdtri(repeats, tail) for tail in (0.025, 0.975)])
    return measured * np.sqrt(repeats / quantiles[:, np.newaxis])


def _kinds() -> list[Line2D]:
    dashed = (0, (DASH, DASH))
    return [
        Line2D([], [], color=GREY, marker="o", linestyle="none", label="measured (95 % interval)"),
        Line2D([], [], color=GREY, label="promised"),
        Line2D([], [], color=GREY, linestyle=dashed, label="trusted curator"),
    ]
