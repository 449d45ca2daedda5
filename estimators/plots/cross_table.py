"""Draw a cross-table: a shaded grid of shares with intervals, or a row of means."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from estimators.cross.table import Ratio
from estimators.plots.cross_panel import CrossPanel
from estimators.plots.paper import (
    COLOURS,
    GREY,
    LETTER,
    NOTE_LINE,
    WIDTH,
    add_title,
    all_lines,
    two_lines,
)

FULL = np.array(to_rgb(COLOURS[0]))
# A share of 100 % is this dark, so that black figures stay readable on it.
DARKEST = 0.7
EDGE = "#C8C8C8"
# In inches: a row of the grid, a row of means, title and labels.
ROW, MEAN, FRAME = 0.52, 0.34, 1.3
# Parts of the width: labels of rows, and labels of all columns together.
ROW_LABELS, COLUMN_LABELS = 0.28, 0.66
# In inches: a column that has room for intervals inside its cells, and a letter of a small note.
WITH_INTERVALS, SMALL_LETTER = 0.6, 0.065


def draw_cross(panel: CrossPanel, width: float = WIDTH) -> Figure:
    """Draw the whole table; nothing is cut, so shares may be below 0 or above 100 %."""
    row = MEAN if panel.are_means else ROW
    row_letters = max(int(ROW_LABELS * width / LETTER), 8)
    room = COLUMN_LABELS * width
    roomy = panel.are_means or room / len(panel.columns) >= WITH_INTERVALS
    note = all_lines(panel.note if roomy else panel.bare_note, int(width / SMALL_LETTER))
    height = row * len(panel.rows) + FRAME + NOTE_LINE * len(note[1:])
    figure = Figure(figsize=(width, height))
    axes = figure.subplots()
    add_title(figure, panel.title, width)
    if panel.are_means:
        _draw_means(axes, panel)
    else:
        _draw_grid(axes, panel, room, roomy)
    axes.set_xlabel("\n".join(two_lines(panel.second, int(room / LETTER))))
    labels = ["\n".join(two_lines(label, row_letters)) for label in panel.rows]
    axes.set_yticks(range(len(panel.rows)), labels)
    axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    axes.tick_params(length=0)
    axes.set_ylabel("\n".join(two_lines(panel.first, row_letters)))
    figure.supxlabel("\n".join(note), fontsize="small", color=GREY, x=0.02, ha="left")
    return figure


def _draw_means(axes: Axes, panel: CrossPanel) -> None:
    for place, (mean,) in enumerate(panel.entries):
        if mean.value is None or mean.low is None or mean.high is None:
            axes.text(0.5, place, "no number", transform=axes.get_yaxis_transform(), ha="center")
        else:
            axes.plot([mean.low, mean.high], [place, place], color="black", linewidth=1.1)
            axes.plot([mean.value], [place], "o", color=COLOURS[0])
    axes.grid(True, axis="x")


def _draw_grid(axes: Axes, panel: CrossPanel, room: float, with_intervals: bool) -> None:
    columns = len(panel.columns)
    for place, entries in enumerate(panel.entries):
        for column, share in enumerate(entries):
            _draw_cell(axes, column, place, share, with_intervals)
    letters = max(int(room / columns / LETTER), 5)
    labels = ["\n".join(two_lines(label, letters)) for label in panel.columns]
    axes.set_xticks(range(columns), labels)
    axes.set_xlim(-0.5, columns - 0.5)
    axes.spines[:].set_visible(False)


def _draw_cell(axes: Axes, column: int, row: int, share: Ratio, with_interval: bool) -> None:
    """Shade a cell by its share, and write the share into it."""
    dark = 0.0 if share.value is None else DARKEST * min(max(share.value, 0.0), 1.0)
    shade = tuple((1 - dark) + dark * FULL)
    hatch = "////" if share.value is None else None
    axes.add_patch(
        Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=shade, edgecolor=EDGE, hatch=hatch)
    )
    if share.value is None or share.low is None or share.high is None:
        axes.text(column, row, "?", ha="center", va="center")
        return
    up = 0.14 if with_interval else 0.0
    text = f"{round(100 * share.value)}"
    axes.text(column, row - up, text, ha="center", va="center", weight="bold")
    if with_interval:
        ends = f"[{round(100 * share.low)}, {round(100 * share.high)}]"
        axes.text(column, row + 0.22, ends, ha="center", va="center", fontsize="small")
