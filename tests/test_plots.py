"""Figures that leave the system: what stands in them, which files they become, what is refused."""

import math
import os
import re
import resource
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import special

from client.refusal import Refusal
from estimators.plots import errors, estimates, prices
from estimators.plots.panels import (
    ErrorCurve,
    ErrorPanel,
    Estimated,
    EstimatePanel,
    Line,
    PriceCurve,
    PricePanel,
    Surveys,
)
from estimators.plots.paper import COLOURS, MARKERS, paper, styles
from estimators.plots.plotting import (
    check_plot_file,
    plot_errors,
    plot_estimates,
    plot_prices,
)

# No figure may come with a complaint, such as one about a layout that does not fit.
pytestmark = pytest.mark.filterwarnings("error")

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"
SURVEYS = Surveys(repeats=50, respondents=1_000)
RESPONDENTS = (1_000.0, 10_000.0, 100_000.0)


def options(count: int) -> EstimatePanel:
    """Shares that fall, estimates a little off."""
    shares = [2 * (count - i) / (count * (count + 1)) for i in range(count)]
    figures = (
        Estimated(f"Option {i + 1}", share, share + 0.002 * (-1) ** i, 0.01)
        for i, share in enumerate(shares)
    )
    return EstimatePanel(f"Which of {count}?", tuple(figures))


HOURS = EstimatePanel("How long?", (Estimated("mean", 30.0, 29.6, 2.0),), unit="hours")


def curve(epsilon: str, factor: float) -> ErrorCurve:
    return ErrorCurve(
        epsilon,
        measured=Line(RESPONDENTS, tuple(1.05 * factor / n**0.5 for n in RESPONDENTS)),
        promised=Line(RESPONDENTS, tuple(factor / n**0.5 for n in RESPONDENTS)),
        central=Line(RESPONDENTS, tuple(0.5 / n**0.5 for n in RESPONDENTS)),
        repeats=50,
    )


ERRORS = ErrorPanel("Ever driven?", (curve("0.5", 2), curve("1", 1), curve("2", 0.6)))
PRICES = PricePanel(
    "Ever driven?",
    (
        PriceCurve("0.5", Line(RESPONDENTS, (10, 15, 16))),
        PriceCurve("1", Line(RESPONDENTS, (4, 4.5, 4.6))),
    ),
)
PLOTS: dict[str, Callable[[Path], None]] = {
    "estimates": lambda path: plot_estimates(path, [options(3), HOURS], SURVEYS),
    "errors": lambda path: plot_errors(path, [ERRORS]),
    "prices": lambda path: plot_prices(path, [PRICES]),
}
every_plot = pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)


def texts(path: Path) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.parse(path).iter(f"{SVG}text")]


def drawn_estimates(path: Path) -> list[tuple[float, float]]:
    """Where the round marks stand, the legend's own last."""
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
    """Across in rows with names, upwards where there are too many for names."""
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
    axes = errors.draw_errors([ERRORS]).axes[0]
    central, promised, measured = axes.lines[:3]
    assert np.asarray(promised.get_ydata()) == pytest.approx([200 / n**0.5 for n in RESPONDENTS])
    assert np.asarray(central.get_ydata()) == pytest.approx([50 / n**0.5 for n in RESPONDENTS])
    assert np.asarray(measured.get_ydata()) == pytest.approx([210 / n**0.5 for n in RESPONDENTS])
    assert central.is_dashed()
    assert not promised.is_dashed()
    assert measured.get_linestyle() == "None"
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_a_measured_error_has_the_interval_of_its_chi_square_law() -> None:
    """If the true error is at an end of the interval, what was measured is 1 in 40."""
    low, high = errors._by_chance(np.array([1.0]), 50)[:, 0]
    assert low < 1 < high
    assert special.chdtrc(50, 50 / low**2) == pytest.approx(0.025)
    assert special.chdtr(50, 50 / high**2) == pytest.approx(0.025)


@pytest.mark.parametrize("last", [3_100, 9_000, 40_000, 250_000, 10**9])
def test_an_axis_always_has_two_numbers_to_read_it_by_and_never_a_crowd(last: int) -> None:
    flat = PriceCurve("1", Line((3_000, last), (1.001, 1.002)))
    steep = PriceCurve("1", Line((3_000, last), (1.001, last / 3_000)))
    for price in (flat, steep):
        with paper():
            figure = prices.draw_prices([PricePanel("", (price,))] * 2)
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


@every_plot
def test_a_png_has_its_pixels_on_white(tmp_path: Path, plot: Callable[[Path], None]) -> None:
    plot(tmp_path / "A.PNG")
    content = (tmp_path / "A.PNG").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert 900 <= width <= 1300
    assert 500 <= height <= 1300
    corner = mpl.image.imread(str(tmp_path / "A.PNG"))[0, 0]
    assert corner.tolist() == [1, 1, 1, 1]


@every_plot
def test_a_pdf_is_whole(tmp_path: Path, plot: Callable[[Path], None]) -> None:
    plot(tmp_path / "a.pdf")
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF-1.")
    assert content.rstrip().endswith(b"%%EOF")
    assert re.search(rb"/MediaBox \[ *0 0 ", content)
    assert b"CreationDate" not in content


def test_the_same_figures_give_the_same_bytes_whoever_draws_them(tmp_path: Path) -> None:
    """Another process without a display, another hash seed, and settings of its own."""
    (tmp_path / "matplotlibrc").write_text("axes.labelcolor: red\nbackend: tkagg\n")
    program = (
        "from pathlib import Path; import sys; from tests.test_plots import PLOTS\n"
        "for end in ('.svg', '.png', '.pdf'):\n"
        "    PLOTS['errors'](Path(sys.argv[1]).with_suffix(end))"
    )
    settings = {"MATPLOTLIBRC": str(tmp_path), "PYTHONHASHSEED": "7", "DISPLAY": ""}
    subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "theirs")],
        env=os.environ | settings,
        cwd=ROOT,
        check=True,
    )
    for end in (".svg", ".png", ".pdf"):
        mine = tmp_path / f"mine{end}"
        PLOTS["errors"](mine)
        assert mine.read_bytes() == (tmp_path / f"theirs{end}").read_bytes()


def test_the_settings_of_others_are_left_alone(tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    PLOTS["errors"](tmp_path / "a.svg")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("name", ["a.gif", "a", "a.svgz", "svg", "a.svg.txt", ".png"])
@every_plot
def test_another_format_is_refused_in_one_line_with_the_three(
    tmp_path: Path, plot: Callable[[Path], None], name: str
) -> None:
    with pytest.raises(Refusal) as refused:
        plot(tmp_path / name)
    assert refused.value.message == (
        f"a plot's file name must end in .svg, .png or .pdf, got {name!r}"
    )
    assert list(tmp_path.iterdir()) == []


@every_plot
def test_nothing_is_overwritten(tmp_path: Path, plot: Callable[[Path], None]) -> None:
    file = tmp_path / "a.svg"
    file.write_text("mine")
    with pytest.raises(Refusal, match=r"a\.svg exists and is not overwritten"):
        plot(file)
    assert file.read_text() == "mine"


def test_a_file_that_appears_while_drawing_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.svg"
    draw = errors.draw_errors
    monkeypatch.setattr(
        errors, "draw_errors", lambda panels: (file.write_text("mine"), draw(panels))[1]
    )
    with pytest.raises(Refusal, match="exists and is not overwritten"):
        plot_errors(file, [ERRORS])
    assert file.read_text() == "mine"


def test_a_file_that_cannot_be_is_refused_before_the_work_is_done(tmp_path: Path) -> None:
    check_plot_file(tmp_path / "a.svg")
    (tmp_path / "a.svg").touch()
    with pytest.raises(Refusal, match=r"a\.svg exists and is not overwritten"):
        check_plot_file(tmp_path / "a.svg")
    with pytest.raises(Refusal, match="nowhere is no folder"):
        check_plot_file(tmp_path / "nowhere" / "a.svg")


def test_a_drawing_that_fails_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half_a_figure(figure: Figure, file: BytesIO, **_: object) -> None:
        file.write(b"<svg>")
        raise MemoryError

    monkeypatch.setattr(Figure, "savefig", half_a_figure)
    with pytest.raises(MemoryError):
        PLOTS["errors"](tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def files_of_a_thousand_bytes() -> Iterator[None]:
    """What a full disk does, by the system's own limit on the size of files."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full_leaves_no_half_figure(tmp_path: Path) -> None:
    with (
        pytest.raises(Refusal, match=r"a\.svg cannot be written: File too large"),
        files_of_a_thousand_bytes(),
    ):
        PLOTS["errors"](tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_line_has_a_value_for_every_number_of_respondents() -> None:
    with pytest.raises(ValueError, match="as many values as respondents, got 1 and 2"):
        Line((1, 2), (1,))


def test_an_estimate_that_is_missing_leaves_its_row_empty(tmp_path: Path) -> None:
    nobody = Estimated("nobody was asked", 0.5, math.nan, 0.1)
    panel = EstimatePanel("Boxes", (*options(2).figures, nobody))
    plot_estimates(tmp_path / "a.svg", [panel], SURVEYS)
    assert "nobody was asked" in texts(tmp_path / "a.svg")
