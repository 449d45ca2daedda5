"""The figure of one question: nothing is cut off at any size, and bars stand alone if they must."""

from dataclasses import replace
from itertools import pairwise

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from estimators.cross.table import Ratio
from estimators.plots.cross_panel import CrossPanel
from estimators.plots.cross_table import draw_cross
from estimators.plots.panels import Column, Result, ResultPanel
from estimators.plots.paper import paper
from estimators.plots.results import draw_result

LONG = "Working hours that do not fit family life, nights and weekends in particular"
SIGNS = ("Estimated", "Reported", "95 % interval", "3,000 randomized reports")
ROWS = (Result(LONG, 0.2, -0.1, 1.4, 0.3), Result("Pay", 0.8, 0.6, 0.9, 0.7))
QUANTILES = tuple(
    Result(f"{part} % quantile", value, value - 1, value + 1)
    for part, value in ((5, 1.0), (25, 20.0), (50, 30.0), (75, 40.0), (95, 59.0))
)
LEVELS = tuple(Column(float(level), 1 / 61) for level in range(61))
BARS = ResultPanel(LONG * 3, ROWS, (), None, *SIGNS)
HOURS = ResultPanel(LONG * 3, QUANTILES, LEVELS, "hours of overtime", *SIGNS)
MEAN = ResultPanel(LONG, (Result("mean", 5.0, 4.0, 6.0),), (), "hours", *SIGNS)
SHARE = Ratio(0.5, -0.12, 1.14)
CELLS = CrossPanel(
    *(LONG * 3, LONG, LONG, (LONG, "No"), (LONG, "Yes", "Sometimes")),
    *(((SHARE,) * 3,) * 2, False, "per cent of each row, with 95 % intervals, 3,000 reports", ""),
)
MEANS = CrossPanel(LONG, LONG, LONG, (LONG, "No"), (), ((SHARE,),) * 2, True, "95 % intervals", "")
SIZES = [(6.3, 4.0), (3.3, 3.0), (3.0, 4.0), (12.0, 5.0)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("panel", [BARS, HOURS, MEAN, CELLS, MEANS], ids=lambda panel: panel.note)
def test_no_text_leaves_the_figure(
    panel: ResultPanel | CrossPanel, size: tuple[float, float]
) -> None:
    with paper():
        if isinstance(panel, CrossPanel):
            figure = draw_cross(panel, size[0])
            figure.set_size_inches(*size)
        else:
            figure = draw_result(panel, size)
        figure.draw_without_rendering()
        drawn = figure.get_tightbbox()
    assert drawn.x0 >= 0
    assert drawn.x1 <= size[0]
    assert drawn.y0 >= 0
    assert drawn.y1 <= size[1]


@pytest.mark.parametrize("size", SIZES)
def test_the_labels_of_a_box_plot_do_not_overlap(size: tuple[float, float]) -> None:
    with paper():
        figure = draw_result(HOURS, size)
        figure.draw_without_rendering()
        labels = [label.get_window_extent() for label in figure.axes[1].get_yticklabels()[1:]]
    for above, below in pairwise(labels):
        assert above.y0 >= below.y1


@pytest.mark.parametrize("panel", [BARS, HOURS, CELLS], ids=("bars", "hours", "cells"))
def test_a_long_name_of_a_group_is_drawn_whole_and_takes_no_room_from_the_figure(
    panel: ResultPanel | CrossPanel,
) -> None:
    group = ", ".join([LONG] * 4)
    with paper():
        named = [_drawn(panel), _drawn(replace(panel, note=f"{group}\n{panel.note}"))]
        for figure in named:
            figure.draw_without_rendering()
        heights = [figure.axes[0].get_window_extent().height for figure in named]
        inside = named[1].get_tightbbox()
    assert heights[1] >= 0.95 * heights[0]
    width, height = named[1].get_size_inches()
    assert 0 <= inside.x0 < inside.x1 <= width
    assert 0 <= inside.y0 < inside.y1 <= height
    texts = [text.get_text().replace("\n", " ") for text in named[1].findobj(Text)]
    assert f"{group} {panel.note}" in texts


def _drawn(panel: ResultPanel | CrossPanel) -> Figure:
    return draw_cross(panel) if isinstance(panel, CrossPanel) else draw_result(panel)


def test_shares_without_reported_ones_are_bars_and_a_mean_is_a_point() -> None:
    alone = ResultPanel("Q?", (Result("Yes", 0.4, 0.3, 0.5),), (), None, *SIGNS)
    with paper():
        (bar,) = draw_result(alone).axes[0].patches
        mean = draw_result(MEAN).axes[0]
    assert bar.get_width() == 0.4  # type: ignore[attr-defined]
    assert not mean.patches
    assert mean.lines[0].get_marker() == "o"


def test_a_figure_without_room_for_intervals_does_not_promise_them() -> None:
    note, bare = "per cent of each row, with 95 % intervals", "per cent of each row"
    for columns, expected in ((3, note), (12, bare)):
        labels = tuple(map(str, range(columns)))
        entries = ((SHARE,) * columns,) * 2
        panel = CrossPanel("a by b", "a", "b", ("x", "y"), labels, entries, False, note, bare)
        with paper():
            figure = draw_cross(panel)
        inside = [text.get_text() for text in figure.axes[0].texts]
        assert figure.get_supxlabel() == expected
        assert any(text.startswith("[") for text in inside) == (expected == note)
