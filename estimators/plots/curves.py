"""Curves by respondents, one for each epsilon: what all figures of them share."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from estimators.plots.panels import Curve
from estimators.plots.paper import BETWEEN_MARKERS, epsilon_legend, panel_grid, styles


class _HasEpsilon(Protocol):
    @property
    def epsilon(self) -> str: ...


class _HasCurves(Protocol):
    @property
    def curves(self) -> Sequence[_HasEpsilon]: ...


Panel = TypeVar("Panel", bound=_HasCurves)


def figure_of_curves(panels: Sequence[Panel], draw: Callable[[Axes, Panel], None]) -> Figure:
    """One panel per question, the same colours in all of them."""
    figure, places = panel_grid(len(panels))
    for panel, axes in zip(panels, places, strict=True):
        draw(axes, panel)
    epsilon_legend(figure, (curve.epsilon for curve in panels[0].curves))
    return figure


def draw_curves(axes: Axes, curves: Iterable[Curve], scale: float = 1.0) -> None:
    """Each with its colour and marker; the values times the scale."""
    for curve, (colour, marker) in zip(curves, styles(), strict=False):
        axes.plot(
            curve.line.respondents,
            scale * np.array(curve.line.values),
            color=colour,
            marker=marker,
            markevery=BETWEEN_MARKERS,
        )
