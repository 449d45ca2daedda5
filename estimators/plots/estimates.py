"""Estimates and the truth in one figure: does the truth lie in the promised interval?"""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from estimators.plots.panels import EstimatePanel, Surveys
from estimators.plots.paper import COLOURS, GREY, WIDTH, as_drawn, two_lines, with_unit
from estimators.shares.intervals import normal_quantile

ESTIMATE, TRUTH = COLOURS[0], "black"
# The truth is drawn as a stroke across a row or a column.
ACROSS_ROW: Any = {"marker": "|", "linestyle": "none", "markersize": 13, "markeredgewidth": 1.6}
ACROSS_COLUMN: Any = {"marker": "_", "linestyle": "none", "markersize": 3.5}
# Up to this many options each has a row with its name; more stand side by side, numbered.
MOST_ROWS = 32
# In inches. What does not fit on a page continues in a second column.
ROW, LINE, FRAME, SIDE_BY_SIDE, LEGEND, PAGE = 0.24, 0.15, 0.6, 2.5, 0.5, 9.0
# In letters.
TITLE_WIDTH, LABEL_WIDTH = 50, 30


def draw_estimates(panels: Sequence[EstimatePanel], surveys: Surveys) -> Figure:
    """Draw one panel per question, as tall as its number of options requires."""
    columns = _columns(panels)
    tallest = max(sum(map(_height, column)) for column in columns)
    figure = Figure(figsize=(WIDTH * len(columns), tallest + LEGEND))
    for column, place in zip(
        columns, figure.subfigures(1, len(columns), squeeze=False)[0], strict=True
    ):
        _draw_column(place, column, tallest, normal_quantile(surveys.confidence))
    in_rows = any(len(panel.figures) <= MOST_ROWS for panel in panels)
    figure.legend(
        **_legend(surveys, ACROSS_ROW if in_rows else ACROSS_COLUMN),
        loc="outside upper left",
        ncols=3,
        alignment="left",
    )
    return figure


def _columns(panels: Sequence[EstimatePanel]) -> list[Sequence[EstimatePanel]]:
    """Return the panels in one column, or in two of about the same height."""
    total = sum(map(_height, panels))
    if total <= PAGE or len(panels) == 1:
        return [panels]
    split = min(
        range(1, len(panels)), key=lambda count: abs(total / 2 - sum(map(_height, panels[:count])))
    )
    return [panels[:split], panels[split:]]


def _height(panel: EstimatePanel) -> float:
    count = len(panel.figures)
    title = LINE * len(two_lines(panel.title, TITLE_WIDTH))
    return FRAME + title + (ROW * (count + 0.5) if count <= MOST_ROWS else SIDE_BY_SIDE)


def _draw_column(
    place: SubFigure, panels: Sequence[EstimatePanel], height: float, z: float
) -> None:
    """Draw the panels from the top down; the rest of the height stays empty."""
    heights = [_height(panel) for panel in panels]
    rest = max(height - sum(heights), 1e-6)
    *axes, empty = place.subplots(len(panels) + 1, 1, height_ratios=[*heights, rest])
    empty.set_axis_off()
    for panel, own in zip(panels, axes, strict=True):
        _draw_panel(own, panel, z)


def _draw_panel(axes: Axes, panel: EstimatePanel, z: float) -> None:
    scale = as_drawn(panel.unit)
    places = list(range(1, len(panel.figures) + 1))
    truths = [scale * figure.truth for figure in panel.figures]
    estimates = [scale * figure.estimate for figure in panel.figures]
    halves = [scale * z * figure.standard_error for figure in panel.figures]
    axes.set_title("\n".join(two_lines(panel.title, TITLE_WIDTH)))
    quantity = "Share (%)" if panel.unit is None else with_unit("Mean", panel.unit)
    if len(places) <= MOST_ROWS:
        _draw_rows(axes, places, truths, estimates, halves)
        labels = ["\n".join(two_lines(figure.label, LABEL_WIDTH)) for figure in panel.figures]
        axes.set_yticks(places, labels)
        axes.set_xlabel(quantity)
    else:
        _draw_side_by_side(axes, places, truths, estimates, halves)
        axes.set_xlabel("Option, by its number in the survey")
        axes.set_ylabel(quantity)


def _draw_rows(
    axes: Axes,
    places: list[int],
    truths: list[float],
    estimates: list[float],
    halves: list[float],
) -> None:
    """Draw a row per option, the first on top, with the truth as a stroke across it."""
    axes.plot(truths, places, color=TRUTH, zorder=3, **ACROSS_ROW)
    axes.errorbar(estimates, places, xerr=halves, fmt="o", color=ESTIMATE, capsize=3)
    axes.set_ylim(len(places) + 0.7, 0.3)
    axes.grid(True, axis="x")
    axes.tick_params(axis="y", length=0)


def _draw_side_by_side(
    axes: Axes,
    places: list[int],
    truths: list[float],
    estimates: list[float],
    halves: list[float],
) -> None:
    """Draw a column per option, numbered instead of named."""
    axes.axhline(0, color=GREY, linewidth=0.6)
    axes.errorbar(
        places,
        estimates,
        yerr=halves,
        fmt="o",
        color=ESTIMATE,
        markersize=2.5,
        elinewidth=0.6,
    )
    axes.plot(places, truths, color=TRUTH, zorder=3, **ACROSS_COLUMN)
    axes.set_xlim(0, len(places) + 1)
    axes.grid(True, axis="y")


def _legend(surveys: Surveys, stroke: Any) -> dict[str, Any]:
    """Return the legend: the three signs, under a line that says what was simulated."""
    many = surveys.repeats > 1
    asked = f"{surveys.respondents:,} respondents"
    truth = Line2D([], [], color=TRUTH, label="truth", **stroke)
    estimate = Line2D([], [], color=ESTIMATE, marker="o", linestyle="none")
    estimate.set_label("mean estimate" if many else "estimate")
    interval = Line2D([], [], color=ESTIMATE)
    interval.set_label(
        f"{100 * surveys.confidence:g} % interval promised to {'each' if many else 'it'}"
    )
    return {
        "handles": [truth, estimate, interval],
        "title": f"{surveys.repeats:,} surveys of {asked} each" if many else f"A survey of {asked}",
    }
