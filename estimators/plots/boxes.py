"""A box plot of five quantiles, and below it each of them with its interval.

Minimum and maximum are never drawn: they are answers of single people, and cannot be estimated.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from estimators.plots.panels import Result
from estimators.plots.paper import COLOURS

# In rows: half the height of the box, of a whisker's end and of a quantile's mark.
BOX, WHISKER, MARK = 0.36, 0.2, 0.28
FILL, LINE = COLOURS[0], "black"


def draw_box(axes: Axes, quantiles: Sequence[Result]) -> None:
    """Draw the box in the first row, and a row for every quantile from the lowest on."""
    low, lower, middle, upper, high = (result.value for result in quantiles)
    axes.plot([low, lower], [0, 0], color=LINE, linewidth=1.1)
    axes.plot([upper, high], [0, 0], color=LINE, linewidth=1.1)
    for end in (low, high):
        axes.plot([end, end], [-WHISKER, WHISKER], color=LINE, linewidth=1.1)
    size = (upper - lower, 2 * BOX)
    axes.add_patch(Rectangle((lower, -BOX), *size, facecolor=FILL, alpha=0.35, edgecolor=LINE))
    axes.plot([middle, middle], [-BOX, BOX], color=FILL, linewidth=2.5, solid_capstyle="butt")
    for row, result in enumerate(quantiles, start=1):
        _draw_quantile(axes, row, result)
    axes.set_yticks(range(len(quantiles) + 1), ["", *(result.label for result in quantiles)])
    axes.set_ylim(len(quantiles) + 0.6, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")


def _draw_quantile(axes: Axes, row: int, result: Result) -> None:
    axes.plot([result.low, result.high], [row, row], color=LINE, linewidth=1.1)
    mark = [row - MARK, row + MARK]
    axes.plot([result.value] * 2, mark, color=FILL, linewidth=2.5, solid_capstyle="butt")
