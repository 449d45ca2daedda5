"""How a figure looks: white, sober, readable in grey and for colour-blind people."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from textwrap import wrap
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

# The colours of Okabe and Ito, which nearly everybody can distinguish; the darkest first.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
# Eight markers for seven colours: 56 pairs before one repeats.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY = "#767676"
# How light red, green and blue look.
LIGHTNESS = np.array((0.2126, 0.7152, 0.0722))
# The distance between the markers of a curve, as a part of the panel's diagonal.
BETWEEN_MARKERS = 0.2
# A column of text, and a panel of curves, in inches.
WIDTH, HEIGHT = 6.3, 2.9
# What a letter takes at most, in inches.
LETTER = 0.075
# A further line of a note, in inches.
NOTE_LINE = 0.175
# The width of a panel's title, in letters, if its scale has a name of two lines.
TITLE_WIDTH = 30
# The ticks per power of ten, by the largest factor between the ends of an axis. Numbers need more
# room side by side than above each other.
BETWEEN = {"x": ((15, (1, 2, 5)), (150, (1, 3))), "y": ((150, (1, 2, 5)),)}
MOST_TICKS = 4
# The smallest factor between the ends of a logarithmic axis.
LEAST = 8

SETTINGS: dict[Any, Any] = {
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#E2E2E2",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.markersize": 5,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "legend.columnspacing": 1.5,
    # A prompt may contain dollar signs; it is not a formula.
    "text.parse_math": False,
    # Text stays text, so that it can be searched, read aloud and edited.
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    # Without this, the names inside an svg would be random.
    "svg.hashsalt": "candor",
}


@contextmanager
def paper() -> Iterator[None]:
    """Use these settings only, whatever the user's own matplotlib is set to."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        yield


def without_colours(figure: Figure) -> Figure:
    """Replace every colour by the grey that is equally light; return the figure."""
    for artist in figure.findobj():
        for name in ("color", "facecolor", "edgecolor"):
            # Lines have a colour; patches and collections have two.
            get, put = getattr(artist, f"get_{name}", None), getattr(artist, f"set_{name}", None)
            if get is not None and put is not None:
                colours = to_rgba_array(get())
                if len(colours):
                    light = colours[:, :3] @ LIGHTNESS
                    greys = np.column_stack((light, light, light, colours[:, 3]))
                    put(greys if len(greys) > 1 else tuple(greys[0]))
    return figure


def styles() -> Iterator[tuple[str, str]]:
    """Yield a colour and a marker for each curve."""
    return zip(cycle(COLOURS), cycle(MARKERS), strict=False)


def as_drawn(unit: str | None) -> float:
    """Return the factor of a figure: shares are drawn in per cent, means as they are."""
    return 100.0 if unit is None else 1.0


def with_unit(quantity: str, unit: str) -> str:
    return f"{quantity} ({unit})" if unit else quantity


def two_lines(text: str, width: int) -> list[str]:
    """Wrap a text into at most two lines of this width, and cut the rest."""
    return wrap(text, width, max_lines=2, placeholder=" …")


def all_lines(text: str, width: int) -> list[str]:
    """Wrap each line of a text to this width, and cut nothing."""
    return [part for line in text.splitlines() for part in wrap(line, width)]


def add_title(figure: Figure, text: str, width: float) -> None:
    """Add a title over the whole width, in at most two lines; the rest is cut."""
    lines = two_lines(text, int(width / LETTER))
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=9, weight="bold")


def panel_grid(count: int) -> tuple[Figure, list[Axes]]:
    """Return a figure of equal panels, two in a row if there are several."""
    columns = min(count, 2)
    rows = -(-count // columns)
    figure = Figure(figsize=(WIDTH if columns == 2 else 0.8 * WIDTH, HEIGHT * rows + 0.7))
    axes = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for unused in axes[count:]:
        unused.set_axis_off()
    return figure, axes[:count]


def by_factors(axes: Axes) -> None:
    """Make both axes logarithmic, with plain digits: 1,000 and not 10^3.

    Call it after everything is drawn.
    """
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(_stretched(axes.get_xlim()))
    axes.set_ylim(_stretched(axes.get_ylim()))
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        steps = _steps(name, *axis.get_view_interval())
        axis.set_major_locator(LogLocator(10, subs=steps, numticks=MOST_TICKS))
        axis.set_minor_locator(LogLocator(10, subs=range(1, 10), numticks=100))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.grid(True)


def _stretched(limits: tuple[float, float]) -> tuple[float, float]:
    """Return limits wide enough that a flat curve looks flat and two ticks are visible."""
    low, high = limits
    missing = math.sqrt(max(LEAST / (high / low), 1))
    return low / missing, high * missing


def _steps(name: str, low: float, high: float) -> tuple[int, ...]:
    """Return the ticks within a power of ten: more of them if the axis spans few powers."""
    return next((steps for factor, steps in BETWEEN[name] if high / low < factor), (1,))


def finish_panel(axes: Axes, title: str, respondents: str, quantity: str) -> None:
    """Add to a panel of curves its title, labels and axes."""
    by_factors(axes)
    axes.set_title("\n".join(two_lines(title, TITLE_WIDTH)))
    axes.set_xlabel(respondents)
    axes.set_ylabel(quantity)


def epsilon_legend(figure: Figure, epsilons: Iterable[str]) -> None:
    """Add a legend above all panels: which colour and marker is which epsilon."""
    handles = [
        Line2D([], [], color=colour, marker=marker, label=epsilon)
        for epsilon, (colour, marker) in zip(epsilons, styles(), strict=False)
    ]
    figure.legend(
        handles=handles, title="Epsilon", loc="outside upper left", ncols=6, alignment="left"
    )
