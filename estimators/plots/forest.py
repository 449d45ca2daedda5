"""A forest plot: the figure of every group with its interval, and the differences between them."""

from collections.abc import Sequence
from itertools import cycle
from textwrap import wrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from estimators.plots.panels import ForestPanel, ForestRow
from estimators.plots.paper import (
    COLOURS,
    GREY,
    LETTER,
    MARKERS,
    WIDTH,
    add_title,
    as_drawn,
    two_lines,
    with_unit,
)

# In inches: one row, and the title with both axes' labels.
ROW, FRAME = 0.27, 1.9
# Narrower figures have no room for the figures in words beside the intervals.
NARROW = 4.5
# Parts of the width: for the labels on the left, and for what is between both sides' labels.
LABELS, BETWEEN_LABELS = 0.3, 0.5


def draw_forest(panel: ForestPanel, width: float = WIDTH) -> Figure:
    """Draw the groups above and their differences below; nothing is clipped, not even below 0."""
    rows = (panel.groups, panel.differences)
    counts = [len(each) + 0.7 for each in rows]
    figure = Figure(figsize=(width, ROW * sum(counts) + FRAME))
    above, below = figure.subplots(2, 1, height_ratios=counts)
    letters = int(width / LETTER)
    add_title(figure, panel.title, width)
    scale = as_drawn(panel.unit)
    _draw_rows(above, panel.groups, scale, width)
    _draw_rows(below, panel.differences, scale, width)
    below.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    share, apart = _quantities(panel.unit)
    percent, together = f"{100 * panel.confidence:g} %", len(panel.differences)
    each = "interval" if together == 1 else f"intervals, {together} together"
    room = max(int(BETWEEN_LABELS * letters), 12)
    above.set_xlabel("\n".join(wrap(f"{share}, {percent} interval", room)))
    below.set_xlabel("\n".join(wrap(f"{apart}, {percent} {each}", room)))
    return figure


def _quantities(unit: str | None) -> tuple[str, str]:
    if unit is None:
        return "Share (%)", "Difference (points)"
    return with_unit("Mean", unit), with_unit("Difference", unit)


def _draw_rows(axes: Axes, rows: Sequence[ForestRow], scale: float, width: float) -> None:
    """Draw a row per figure, the first on top, with its figures in words on the right."""
    styles = dict(
        zip(
            dict.fromkeys(row.group for row in rows),
            zip(cycle(COLOURS), cycle(MARKERS)),
            strict=False,
        )
    )
    for place, row in enumerate(rows):
        colour, marker = styles[row.group]
        axes.plot([scale * row.low, scale * row.high], [place, place], color=colour)
        axes.plot([scale * row.value], [place], marker, color=colour)
    places = list(range(len(rows)))
    letters = max(int(LABELS * width / LETTER), 8)
    axes.set_yticks(places, ["\n".join(two_lines(row.label, letters)) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")
    axes.margins(x=0.05)
    if width >= NARROW:
        beside = axes.secondary_yaxis("right")
        beside.set_yticks(places, [_words(row, scale) for row in rows])
        beside.tick_params(axis="y", length=0)
        beside.spines["right"].set_visible(False)


def _words(row: ForestRow, scale: float) -> str:
    """Return the figures of a row: a share with one decimal, a mean with four digits."""
    shape = ".4g" if scale == 1 else ".1f"
    figures = (f"{scale * figure:{shape}}" for figure in (row.value, row.low, row.high))
    value, low, high = (figure.replace("-", "−") for figure in figures)
    return f"{value} ({low} to {high})"
