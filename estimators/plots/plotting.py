"""Write figures as svg, png or pdf: simulations into new files, results as bytes.

The drawing modules are imported only when something is drawn: matplotlib would double the start-up
time of every command.
"""

import io
import math
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from client.console.files import check_new_file, new_file
from client.core.primitives.refusal import require
from estimators.plots.cross_panel import CrossPanel
from estimators.plots.panels import (
    ErrorPanel,
    EstimatePanel,
    ForestPanel,
    MarginPanel,
    PricePanel,
    ResultPanel,
    Surveys,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")
MOST_PIXELS = 4 * 10**7

# matplotlib's settings are global, and its fonts are not thread-safe.
_matplotlib = threading.Lock()


def check_plot_file(path: Path) -> None:
    """Raise if a figure cannot be written to this file; call it before the work starts."""
    require(_format(path) in FORMATS, "bad_plot_format", "plot", name=path.name[-40:])
    check_new_file(path)


def plot_estimates(path: Path, panels: Sequence[EstimatePanel], surveys: Surveys) -> None:
    """Draw the estimates and the truth, with the interval promised to one survey."""
    from estimators.plots.estimates import draw_estimates

    _plot(path, "Estimates beside the truth", lambda: draw_estimates(panels, surveys))


def plot_errors(path: Path, panels: Sequence[ErrorPanel]) -> None:
    """Draw the error against the number of respondents, one curve per epsilon."""
    from estimators.plots.curves import draw_errors

    _plot(path, "Error by respondents and epsilon", lambda: draw_errors(panels))


def plot_prices(path: Path, panels: Sequence[PricePanel]) -> None:
    """Draw how many times as many respondents it takes to do without a trusted curator."""
    from estimators.plots.curves import draw_prices

    _plot(path, "The price of trusting no curator", lambda: draw_prices(panels))


def plot_margins(path: Path, panels: Sequence[MarginPanel]) -> None:
    """Draw the margin against the number of respondents, one curve per epsilon."""
    _write(path, lambda format: margin_bytes(panels, format))


def margin_bytes(panels: Sequence[MarginPanel], format: str) -> bytes:
    """Return the margins against the number of respondents, as a file of this format."""
    from estimators.plots.curves import draw_margins

    return _drawn(format, "Margin by respondents and epsilon", lambda: draw_margins(panels))


def result_bytes(panel: ResultPanel, format: str) -> bytes:
    """Return one question's results as a file of this format; equal panels give equal bytes."""
    from estimators.plots.results import draw_result

    return _drawn(format, panel.title, lambda: draw_result(panel))


def cross_bytes(panel: CrossPanel, format: str) -> bytes:
    """Return a cross-table as a file of this format; equal panels give equal bytes."""
    from estimators.plots.cross_table import draw_cross

    return _drawn(format, panel.title, lambda: draw_cross(panel))


def forest_bytes(panel: ForestPanel, format: str) -> bytes:
    """Return a forest plot as a file of this format; equal panels give equal bytes."""
    from estimators.plots.forest import draw_forest

    return _drawn(format, panel.title, lambda: draw_forest(panel))


@dataclass(frozen=True)
class Look:
    """How a figure is to look: its width and height in inches, and whether it has colours."""

    size: tuple[float, float] | None = None
    grey: bool = False


def write_figure(path: Path, title: str, draw: "Callable[[], Figure]", look: Look) -> None:
    """Draw a figure into a new file, with the look that its reader asked for."""

    def drawn() -> "Figure":
        from estimators.plots.paper import without_colours

        figure = draw()
        if look.size is not None:
            figure.set_size_inches(*look.size)
        return without_colours(figure) if look.grey else figure

    _plot(path, title, drawn)


def plot_result(path: Path, panel: ResultPanel, look: Look) -> None:
    """Draw one question's results into a new file."""
    from estimators.plots.results import draw_result

    write_figure(path, panel.title, lambda: draw_result(panel, look.size), look)


def plot_cross(path: Path, panel: CrossPanel, look: Look) -> None:
    """Draw a cross-table into a new file."""
    from estimators.plots.cross_table import draw_cross

    width = {} if look.size is None else {"width": look.size[0]}
    write_figure(path, panel.title, lambda: draw_cross(panel, **width), look)


def plot_forest(path: Path, panel: ForestPanel, look: Look) -> None:
    """Draw the groups of a question and their differences into a new file."""
    from estimators.plots.forest import draw_forest

    width = {} if look.size is None else {"width": look.size[0]}
    write_figure(path, panel.title, lambda: draw_forest(panel, **width), look)


def _plot(path: Path, title: str, draw: "Callable[[], Figure]") -> None:
    _write(path, lambda format: _drawn(format, title, draw))


def _write(path: Path, drawn_as: Callable[[str], bytes]) -> None:
    check_plot_file(path)
    # Draw before opening the file: a failure then leaves no file behind.
    drawn = drawn_as(_format(path))
    with new_file(path) as file:
        file.write(drawn)


def _drawn(format: str, title: str, draw: "Callable[[], Figure]") -> bytes:
    from estimators.plots.paper import paper

    drawn = io.BytesIO()
    with _matplotlib, paper(), warnings.catch_warnings():
        # If the font lacks a script, an svg still holds the text for the reader's fonts.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure = draw()
        figure.savefig(drawn, format=format, dpi=_dpi(figure), metadata=_metadata(format, title))
    return drawn.getvalue()


def _dpi(figure: "Figure") -> float:
    """Return a resolution that is sharp in print, but lower if the figure is huge."""
    width, height = figure.get_size_inches()
    return min(200.0, math.sqrt(MOST_PIXELS / (width * height)))


def _format(path: Path) -> str:
    return path.suffix.removeprefix(".").lower()


def _metadata(format: str, title: str) -> dict[str, str | None]:
    """Return metadata without time or version, so that equal figures give equal bytes."""
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "Producer": None}, "png": {}}
    program = "Software" if format == "png" else "Creator"
    return {"Title": title, program: "Candor", **dates[format]}
