"""Curves by respondents, one per epsilon: errors, margins, the price of trusting nobody."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy import special

from estimators.confidence import CONFIDENCE
from estimators.plots.panels import Curve, ErrorCurve, ErrorPanel, MarginPanel, PricePanel
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
from estimators.shares.spread import Array


class _HasEpsilon(Protocol):
    @property
    def epsilon(self) -> str: ...


class _HasCurves(Protocol):
    @property
    def curves(self) -> Sequence[_HasEpsilon]: ...


Panel = TypeVar("Panel", bound=_HasCurves)


def figure_of_curves(panels: Sequence[Panel], draw: Callable[[Axes, Panel], None]) -> Figure:
    """Draw one panel per question, with the same colours in all of them."""
    figure, places = panel_grid(len(panels))
    for panel, axes in zip(panels, places, strict=True):
        draw(axes, panel)
    epsilon_legend(figure, (curve.epsilon for curve in panels[0].curves))
    return figure


def draw_curves(axes: Axes, curves: Iterable[Curve], scale: float = 1.0) -> None:
    """Draw each curve in its colour and with its marker, its values times the scale."""
    for curve, (colour, marker) in zip(curves, styles(), strict=False):
        axes.plot(
            curve.line.respondents,
            scale * np.array(curve.line.values),
            color=colour,
            marker=marker,
            markevery=BETWEEN_MARKERS,
        )


# The length of a dash, and of the gap after it, in points.
DASH = 4


def draw_errors(panels: Sequence[ErrorPanel]) -> Figure:
    """Draw measured and promised errors, and those of a trusted curator."""
    figure = figure_of_curves(panels, _draw_error_panel)
    figure.legend(handles=_kinds(), loc="outside lower left", ncols=3)
    return figure


def _draw_error_panel(axes: Axes, panel: ErrorPanel) -> None:
    for number, (curve, style) in enumerate(zip(panel.curves, styles(), strict=False)):
        # Shift the dashes: where the curators' lines coincide, every colour stays visible.
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
    """Return the ends of an interval for the true error, at the default confidence.

    It holds for normal estimates: the sum of the squares of `repeats` errors, divided by their
    variance, is chi-square distributed.
    """
    rare = (1 - CONFIDENCE) / 2
    quantiles = np.array([special.chdtri(repeats, tail) for tail in (rare, 1 - rare)])
    return measured * np.sqrt(repeats / quantiles[:, np.newaxis])


def _kinds() -> list[Line2D]:
    dashed = (0, (DASH, DASH))
    return [
        Line2D(
            [],
            [],
            color=GREY,
            marker="o",
            linestyle="none",
            label=f"measured ({100 * CONFIDENCE:g} % interval)",
        ),
        Line2D([], [], color=GREY, label="promised"),
        Line2D([], [], color=GREY, linestyle=dashed, label="trusted curator"),
    ]


def draw_margins(panels: Sequence[MarginPanel]) -> Figure:
    """Draw margins against respondents, with that of a direct question."""
    figure = figure_of_curves(panels, _draw_margin_panel)
    direct = Line2D([], [], color=GREY, linestyle="dashed", label="asked directly")
    figure.legend(handles=[direct], loc="outside lower left")
    return figure


def _draw_margin_panel(axes: Axes, panel: MarginPanel) -> None:
    scale, direct = as_drawn(panel.unit), panel.direct
    margins = scale * np.array(direct.values)
    axes.plot(direct.respondents, margins, color=GREY, linestyle="dashed")
    draw_curves(axes, panel.curves, scale)
    unit = "percentage points" if panel.unit is None else panel.unit
    finish_panel(axes, panel.title, "Respondents", with_unit("Margin", unit))


def draw_prices(panels: Sequence[PricePanel]) -> Figure:
    """Draw how many times as many respondents a local survey needs."""
    return figure_of_curves(panels, _draw_price_panel)


def _draw_price_panel(axes: Axes, panel: PricePanel) -> None:
    axes.axhline(1, color=GREY, linewidth=0.8)
    draw_curves(axes, panel.curves)
    finish_panel(
        axes,
        panel.title,
        "Respondents of the local survey",
        "Times as many as a trusted\ncurator needs for the same error",
    )
