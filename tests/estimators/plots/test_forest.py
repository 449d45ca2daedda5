"""Forest plots: every group and difference has its row, and nothing is cut off at any size."""

import re
from pathlib import Path

import pytest

from estimators.plots.forest import NARROW, draw_forest
from estimators.plots.panels import ForestPanel, ForestRow
from estimators.plots.paper import paper
from estimators.plots.plotting import Look, plot_forest

LONG = "People who worked nights in the last twelve months"
PANEL = ForestPanel(
    "In the last twelve months, did you work on a day when you felt too ill to work?",
    (
        ForestRow("day", 0.409, 0.355, 0.464, "day"),
        ForestRow(LONG, 0.656, -0.586, 1.725, LONG),
    ),
    (ForestRow(f"day − {LONG}", -0.247, -1.999, -0.138),),
)
HOURS = ForestPanel("How long?", PANEL.groups, PANEL.differences * 3, unit="hours", confidence=0.9)


@pytest.mark.parametrize("panel", [PANEL, HOURS], ids=["shares", "means"])
@pytest.mark.parametrize("size", [(6.3, 3.0), (3.0, 3.5), (4.5, 4.0), (12.0, 5.0)])
def test_no_text_leaves_the_figure(panel: ForestPanel, size: tuple[float, float]) -> None:
    with paper():
        figure = draw_forest(panel, size[0])
        figure.set_size_inches(*size)
        figure.draw_without_rendering()
        drawn = figure.get_tightbbox()
    assert drawn.x0 >= 0
    assert drawn.x1 <= size[0]
    assert drawn.y0 >= 0
    assert drawn.y1 <= size[1]


def test_every_interval_lies_within_its_axes() -> None:
    with paper():
        for axes, rows in zip(
            draw_forest(PANEL).axes, (PANEL.groups, PANEL.differences), strict=True
        ):
            low, high = axes.get_xlim()
            assert low < min(100 * row.low for row in rows)
            assert high > max(100 * row.high for row in rows)


def test_a_figure_says_the_numbers_if_there_is_room(tmp_path: Path) -> None:
    wide, narrow = tmp_path / "wide.svg", tmp_path / "narrow.svg"
    plot_forest(wide, PANEL, Look())
    plot_forest(narrow, PANEL, Look((NARROW - 1, 4.0), grey=True))
    assert "40.9 (35.5 to 46.4)" in wide.read_text()
    assert "40.9 (35.5 to 46.4)" not in narrow.read_text()
    assert "#0072b2" in wide.read_text()
    assert "#0072b2" not in narrow.read_text()
    assert "Difference (points), 95 % interval" in wide.read_text()


def test_intervals_that_hold_together_say_how_many_do(tmp_path: Path) -> None:
    path = tmp_path / "hours.svg"
    plot_forest(path, HOURS, Look())
    words = " ".join(re.findall(r">([^<]*)</text>", path.read_text()))
    assert "Difference (hours), 90 % intervals, 3 together" in words
    assert "0.409 (0.355 to 0.464)" in path.read_text()
