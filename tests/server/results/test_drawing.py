"""Figures to download: of the snapshot, the same bytes every time, and author text as data."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from client.authoring.draft.survey import build_survey
from estimators.counting.tally import Tally
from estimators.plots.boxes import draw_box
from estimators.plots.panels import Result, ResultPanel
from estimators.plots.paper import paper
from estimators.plots.plotting import result_bytes
from estimators.plots.results import draw_result
from estimators.tables.forging import survey_draw
from server.app import create_app
from server.results import downloads
from server.results.figures import figure
from server.results.kept import Kept
from server.web.limits import MOST_READERS, Limit
from tests.support.live import Live

# No figure may come with a complaint, such as one about a layout that does not fit.
pytestmark = pytest.mark.filterwarnings("error")

FIGURE = "/s/habits/figures/smokes"
BEGINS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
QUANTILES = ["5%", "25%", "Median", "75%", "95%"]
WORDS: dict[str, Any] = {
    **{"columns": (), "unit": None, "estimated": "Estimated", "reported": "Reported"},
    **{"interval": "95% interval", "note": "50 randomized answers"},
}


@pytest.fixture
def draft() -> dict[str, Any]:
    """Texts that would be a formula, markup, or a very long line."""
    options = ["$x^2$ & more", "<b>bold</b>", " ".join(["long"] * 60)]
    smokes = {"id": "smokes", "prompt": "Do $you$ <i>smoke</i>?", "epsilon": "1"}
    survey = {"slug": "habits", "title": "Habits", "delete_on": "2999-12-31"}
    return {**survey, "questions": [{**smokes, "kind": "one_of", "options": options}]}


@pytest.fixture
def filled(live: Live) -> Live:
    live.fill(50, smokes=[1])
    return live


def texts(svg: bytes) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("format", BEGINS)
def test_every_format_is_a_file_to_keep(filled: Live, format: str) -> None:
    answer = filled.get(f"{FIGURE}.{format}")
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith(downloads.TYPES[format])
    assert answer.body.startswith(BEGINS[format])
    name = f'attachment; filename="habits-v1-smokes.{format}"'
    assert answer.headers["Content-Disposition"] == name


@pytest.mark.parametrize("format", BEGINS)
def test_the_same_figures_give_the_same_bytes_without_a_time(
    filled: Live, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = filled.get(f"{FIGURE}.{format}").body
    monkeypatch.setattr(downloads, "DRAWN", Kept(Limit(1, "drawing_busy")))
    assert filled.get(f"{FIGURE}.{format}").body == first
    for mark in (b"CreationDate", b"dc:date", b"tIME"):
        assert mark not in first


def test_author_text_is_neither_markup_nor_a_formula(filled: Live) -> None:
    said = texts(filled.get(f"{FIGURE}.svg").body)
    for text in ("Do $you$ <i>smoke</i>?", "$x^2$ & more", "<b>bold</b>", "50 randomized answers"):
        assert text in said


def test_a_figure_is_drawn_once_per_snapshot(filled: Live) -> None:
    first = filled.get(f"{FIGURE}.svg").body
    before = downloads.DRAWN.computed
    filled.fill(49, smokes=[0])
    assert filled.get(f"{FIGURE}.svg").body == first
    assert downloads.DRAWN.computed == before
    filled.fill(1, smokes=[0])
    assert "100 randomized answers" in texts(filled.get(f"{FIGURE}.svg").body)


def test_a_figure_speaks_the_readers_language(filled: Live) -> None:
    answer = filled.send("GET", f"{FIGURE}.svg", headers={"Accept-Language": "de"})
    assert {"Geschätzt", "Gesendet", "95\u00a0%-Intervall"} <= set(texts(answer.body))
    assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize(
    ("path", "status"),
    [("smokes.svg", 404), ("nothing.svg", 404), ("smokes.gif", 404), ("smokes", 404)],
)
def test_what_is_hidden_or_unknown_has_no_figure(live: Live, path: str, status: int) -> None:
    live.fill(49, smokes=[0])
    assert live.get(f"/s/habits/figures/{path}").status == status


def test_two_readers_of_one_figure_at_once_have_it_drawn_once(
    filled: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is not drawn before the second waits."""
    monkeypatch.setattr(downloads, "DRAWN", Kept(Limit(1, "drawing_busy", 8, 60)))
    looked = threading.Barrier(MOST_READERS, timeout=60)
    find = downloads.DRAWN._find
    drawn: list[str] = []

    def slowly(panel: ResultPanel, format: str) -> bytes:
        drawn.append(format)
        return result_bytes(panel, format)

    def together(key: Any) -> bytes | None:
        found = find(key)
        # Both have looked, and found nothing, before either draws.
        if len(looking) < MOST_READERS:
            looking.append(key)
            looked.wait()
        return found

    looking: list[Any] = []
    monkeypatch.setattr(downloads, "result_bytes", slowly)
    monkeypatch.setattr(downloads.DRAWN, "_find", together)
    with ThreadPoolExecutor(MOST_READERS) as pool:
        one, other = pool.map(filled.get, [f"{FIGURE}.svg"] * MOST_READERS)
    assert (one.status, other.status, drawn) == (200, 200, ["svg"])
    assert one.body == other.body


def test_threads_that_take_reports_do_not_queue_for_figures(
    filled: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "DRAWN", Kept(Limit(1, "drawing_busy")))
    with downloads.DRAWN._computing:
        answer = filled.get(f"{FIGURE}.png")
        assert (answer.status, "Retry-After" in answer.headers) == (503, True)
    assert filled.get(f"{FIGURE}.png").status == 200
    # What is kept waits for nobody.
    with downloads.DRAWN._computing:
        assert filled.get(f"{FIGURE}.png").status == 200


def test_an_estimate_below_zero_is_drawn_below_zero() -> None:
    panel = ResultPanel("Q?", (Result("Yes", -0.1, -0.2, 0.0, 0.25),), **WORDS)
    with paper():
        axes = draw_result(panel).axes[0]
    estimated, reported = axes.patches
    assert (estimated.get_width(), reported.get_width()) == (-0.1, 0.25)  # type: ignore[attr-defined]
    assert axes.get_xlim()[0] < -0.2


def test_a_box_plot_reaches_from_the_first_to_the_last_quantile_and_no_further() -> None:
    """The smallest and the largest answer are not drawn; the box and the table say the same."""
    ends = [(1, 0, 2), (4, 3, 6), (5, 4, 7), (7, 6, 9), (11, 8, 20)]
    results = tuple(
        Result(label, *map(float, one)) for label, one in zip(QUANTILES, ends, strict=True)
    )
    with paper():
        figure = Figure()
        axes = figure.subplots()
        draw_box(axes, results)
    (box,) = axes.patches
    assert isinstance(box, Rectangle)
    assert (box.get_x(), box.get_x() + box.get_width()) == (4, 7)
    lines = [np.array(line.get_xydata()) for line in axes.lines]
    in_box_row = np.concatenate([line for line in lines if (abs(line[:, 1]) < 0.5).all()])
    assert (in_box_row[:, 0].min(), in_box_row[:, 0].max()) == (1, 11)
    intervals = [line[:, 0].tolist() for line in lines if line[0, 1] == line[1, 1] >= 1]
    assert intervals == [[low, high] for _, low, high in ends]


@pytest.mark.parametrize(
    ("fields", "labels", "levels", "unit"),
    [
        ({"kind": "scale", "lo": "1", "hi": "3", "goal": "mean"}, QUANTILES, [1, 2, 3], ""),
        ({"kind": "number", "lo": "0", "hi": "2", "unit": "h"}, QUANTILES, [0, 1, 2], "h"),
        ({"kind": "number", "lo": "0", "hi": "9000", "unit": "h"}, ["Mean"], [], "h"),
        ({"kind": "any_of", "options": ["a", "b"]}, ["a", "b"], [], None),
    ],
)
def test_every_kind_of_question_has_a_figure(
    live: Live, fields: dict[str, Any], labels: list[str], levels: list[int], unit: str | None
) -> None:
    question = {"id": "q", "prompt": "Q?", "epsilon": "1", **fields}
    survey = build_survey({"slug": "s", "title": "S", "questions": [question]})
    (asked,) = survey.questions
    marks = asked.mechanism.marks
    tally = Tally.of_cells([4 * marks] * asked.mechanism.cells, marks)
    with create_app(live.services).test_request_context():
        panel = downloads.panel_of(figure(asked, tally, survey_draw(survey, tally.n)))
    assert isinstance(panel, ResultPanel)
    assert [result.label for result in panel.results] == labels
    assert [column.level for column in panel.columns] == levels
    assert panel.unit == unit
    assert b"<svg" in downloads.draw_figure(panel, "svg")
