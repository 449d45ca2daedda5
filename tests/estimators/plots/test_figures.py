"""Figures that leave the system: what they show, and where."""

import math
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import special

from estimators.plots import curves, estimates
from estimators.plots.panels import Curve, Estimated, EstimatePanel, Line, PricePanel, Surveys
from estimators.plots.paper import COLOURS, MARKERS, paper, styles
from estimators.plots.plotting import plot_errors, plot_estimates, plot_prices
from tests.support.plots import ERRORS, HOURS, PRICES, RESPONDENTS, SURVEYS, options

# No figure may give a warning, such as one about a layout that does not fit.
pytestmark = pytest.mark.filterwarnings("error")

SVG = "{http://www.w3.org/2000/svg}"


def texts(path: Path) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.parse(path).iter(f"{SVG}text")]


def drawn_estimates(path: Path) -> list[tuple[float, float]]:
    """Return where the round markers are; the legend's own is last."""
    tree = ElementTree.parse(path)
    round_marks = {
        f"#{mark.get('id')}"
        for mark in tree.iter(f"{SVG}path")
        if mark.get("id") and "C" in mark.attrib["d"]
    }
    return [
        (float(use.attrib["x"]), float(use.attrib["y"]))
        for use in tree.iter(f"{SVG}use")
        if use.get("{http://www.w3.org/1999/xlink}href") in round_marks
    ]


def test_an_svg_holds_its_words_as_text(tmp_path: Path) -> None:
    plot_estimates(tmp_path / "a.svg", [options(3), HOURS], SURVEYS)
    plot_errors(tmp_path / "b.svg", [ERRORS])
    plot_prices(tmp_path / "c.svg", [PRICES])
    assert {
        *("Which of 3?", "Option 1", "Option 2", "Option 3", "Share (%)"),
        *("How long?", "mean", "Mean (hours)"),
        *("50 surveys of 1,000 respondents each", "truth", "mean estimate"),
        "95 % interval promised to each",
    } <= set(texts(tmp_path / "a.svg"))
    assert {
        *("Ever driven?", "Respondents", "Standard error (percentage points)", "1,000", "100,000"),
        *("Epsilon", "0.5", "1", "2"),
        *("measured (95 % interval)", "promised", "trusted curator"),
    } <= set(texts(tmp_path / "b.svg"))
    words = texts(tmp_path / "c.svg")
    assert {"Ever driven?", "Respondents of the local survey", "Epsilon", "10"} <= set(words)
    assert "Times as many as a trusted" in words
    title = ElementTree.parse(tmp_path / "c.svg").getroot().find(f"{SVG}title")
    assert title is not None
    assert title.text == "The price of trusting no curator"


@pytest.mark.parametrize(("count", "axis"), [(2, 0), (16, 0), (32, 0), (33, 1), (128, 1)])
def test_every_estimate_stands_at_its_value(tmp_path: Path, count: int, axis: int) -> None:
    """Across in rows with names, upwards if there are too many options for names."""
    panel = options(count)
    plot_estimates(tmp_path / "a.svg", [panel], SURVEYS)
    marks = drawn_estimates(tmp_path / "a.svg")[:count]
    values = [figure.estimate for figure in panel.figures]
    places = [mark[axis] for mark in marks]
    line = np.polynomial.Polynomial.fit(values, places, 1)
    assert np.abs(line(np.array(values)) - places).max() < 0.01
    assert (line.deriv()(0) > 0) == (axis == 0)
    named = {figure.label for figure in panel.figures} <= set(texts(tmp_path / "a.svg"))
    assert named == (axis == 0)


def test_truth_estimate_and_interval_are_drawn_as_given() -> None:
    axes = estimates.draw_estimates([HOURS], SURVEYS).axes[0]
    truth, estimate, *caps = axes.lines
    assert truth.get_xdata() == [30.0]
    assert estimate.get_xdata() == [29.6]
    ends = [np.asarray(cap.get_xdata())[0] for cap in caps]
    assert ends == pytest.approx([29.6 - 1.959964 * 2, 29.6 + 1.959964 * 2])


def test_one_survey_is_not_called_several() -> None:
    legend = estimates.draw_estimates([HOURS], Surveys(1, 500, 0.9)).legends[0]
    assert legend.get_title().get_text() == "A survey of 500 respondents"
    words = [text.get_text() for text in legend.get_texts()]
    assert words == ["truth", "estimate", "90 % interval promised to it"]


def test_a_mean_without_a_unit_has_none(tmp_path: Path) -> None:
    panel = EstimatePanel("How sure?", HOURS.figures, unit="")
    plot_estimates(tmp_path / "a.svg", [panel], SURVEYS)
    assert "Mean" in texts(tmp_path / "a.svg")


def test_many_questions_go_on_in_a_second_column() -> None:
    few, many = (
        estimates.draw_estimates([options(16)] * count, SURVEYS).get_size_inches()
        for count in (1, 4)
    )
    assert many[0] == 2 * few[0]
    assert many[1] < 2.2 * few[1]


def test_a_label_with_dollars_is_no_formula_and_a_long_one_is_cut(tmp_path: Path) -> None:
    labels = ("for $5 or $10", "是的", "a word and another " * 9, "x" * 200)
    panel = EstimatePanel("你好", tuple(Estimated(label, 0.2, 0.2, 0.1) for label in labels))
    for name in ("a.svg", "a.png", "a.pdf"):
        plot_estimates(tmp_path / name, [panel], SURVEYS)
    words = texts(tmp_path / "a.svg")
    assert {"for $5 or $10", "是的", "你好", "a word and another a word and"} <= set(words)
    assert max(map(len, words)) < 60


def test_curves_are_drawn_as_given_shares_in_points() -> None:
    axes = curves.draw_errors([ERRORS]).axes[0]
    central, promised, measured = axes.lines[:3]
    assert np.asarray(promised.get_ydata()) == pytest.approx([200 / n**0.5 for n in RESPONDENTS])
    assert np.asarray(central.get_ydata()) == pytest.approx([50 / n**0.5 for n in RESPONDENTS])
    assert np.asarray(measured.get_ydata()) == pytest.approx([210 / n**0.5 for n in RESPONDENTS])
    assert central.is_dashed()
    assert not promised.is_dashed()
    assert measured.get_linestyle() == "None"
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_a_measured_error_has_the_interval_of_its_chi_square_law() -> None:
    """If the true error is at an end of the interval, the measured one has a chance of 1 in 40."""
    low, high = curves._by_chance(np.array([1.0]), 50)[:, 0]
    assert low < 1 < high
    assert special.chdtrc(50, 50 / low**2) == pytest.approx(0.025)
    assert special.chdtr(50, 50 / high**2) == pytest.approx(0.025)


def test_long_titles_end_where_the_figure_does() -> None:
    """Next to the panel whose scale has the longest name."""
    title = "Have you hidden stress or low mood from your manager?"
    panels = [PricePanel(title, PRICES.curves)] * 2
    with paper():
        figure = curves.draw_prices(panels)
        figure.draw_without_rendering()
        right = max(axes.title.get_window_extent().x1 for axes in figure.axes)
    assert right <= figure.bbox.x1


@pytest.mark.parametrize("last", [3_100, 9_000, 40_000, 250_000, 10**9])
def test_an_axis_always_has_two_numbers_to_read_it_by_and_never_a_crowd(last: int) -> None:
    flat = Curve("1", Line((3_000, last), (1.001, 1.002)))
    steep = Curve("1", Line((3_000, last), (1.001, last / 3_000)))
    for price in (flat, steep):
        with paper():
            figure = curves.draw_prices([PricePanel("", (price,))] * 2)
            figure.draw_without_rendering()
        axes = figure.axes[0]
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            assert 2 <= sum(low <= tick <= high for tick in axis.get_majorticklocs()) <= 8
        boxes = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
        shown = [box for box in boxes if axes.bbox.x0 <= (box.x0 + box.x1) / 2 <= axes.bbox.x1]
        assert all(left.x1 < right.x0 for left, right in pairwise(shown))


def test_curves_differ_in_colour_and_marker() -> None:
    pairs = [pair for pair, _ in zip(styles(), range(56), strict=False)]
    assert len(set(pairs)) == 56
    assert len(set(COLOURS)) == 7
    assert len(set(MARKERS)) == 8


def test_a_line_has_a_value_for_every_number_of_respondents() -> None:
    with pytest.raises(ValueError, match="as many values as respondents, got 1 and 2"):
        Line((1, 2), (1,))


def test_an_estimate_that_is_missing_leaves_its_row_empty(tmp_path: Path) -> None:
    nobody = Estimated("nobody was asked", 0.5, math.nan, 0.1)
    panel = EstimatePanel("Boxes", (*options(2).figures, nobody))
    plot_estimates(tmp_path / "a.svg", [panel], SURVEYS)
    assert "nobody was asked" in texts(tmp_path / "a.svg")
