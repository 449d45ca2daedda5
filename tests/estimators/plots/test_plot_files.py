"""The files of figures: whole, the same for everybody, and never in place of another file."""

import os
import re
import resource
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from client.core.primitives.refusal import Refusal
from estimators.plots import curves
from estimators.plots.plotting import check_plot_file, plot_errors
from tests.support.plots import ERRORS, PLOTS
from tests.support.process import CANDOR, ROOT

# No figure may give a warning, such as one about a layout that does not fit.
pytestmark = pytest.mark.filterwarnings("error")

every_plot = pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)


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
    """Another process without a display, with another hash seed and its own settings."""
    (tmp_path / "matplotlibrc").write_text("axes.labelcolor: red\nbackend: tkagg\n")
    program = (
        "from pathlib import Path; import sys; from tests.support.plots import PLOTS\n"
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
    draw = curves.draw_errors
    monkeypatch.setattr(
        curves, "draw_errors", lambda panels: (file.write_text("mine"), draw(panels))[1]
    )
    with pytest.raises(Refusal, match="exists and is not overwritten"):
        plot_errors(file, [ERRORS])
    assert file.read_text() == "mine"


def test_a_file_that_cannot_be_is_refused_before_the_work_is_done(tmp_path: Path) -> None:
    check_plot_file(tmp_path / "a.svg")
    (tmp_path / "a.svg").touch()
    with pytest.raises(Refusal, match=r"a\.svg exists and is not overwritten"):
        check_plot_file(tmp_path / "a.svg")
    with pytest.raises(Refusal, match="nowhere is not a folder"):
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
    """Limit the size of files, which has the effect of a full disk."""
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


@pytest.mark.parametrize(
    "command",
    [
        "simulate --kind yes-no --epsilon 1 --respondents 100 --shares 0.7,0.3 --repeats 2",
        "simulate --kind yes-no --epsilons 1,2 --respondents 100 --shares 0.7,0.3 --repeats 2",
        "plan --epsilon 1 --respondents 1000",
    ],
)
def test_the_figure_is_there_although_nobody_reads_the_table(tmp_path: Path, command: str) -> None:
    """As with `| head`: the pipe is closed before the table's first line is written."""
    reading, writing = os.pipe()
    os.close(reading)
    file = tmp_path / "figure.svg"
    try:
        subprocess.run(
            [*CANDOR, *command.split(), "--plot", str(file)],
            cwd=ROOT,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert file.read_text().rstrip().endswith("</svg>")
