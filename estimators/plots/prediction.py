"""Predicted shares or means along one covariate, each with the band of its intervals."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from estimators.plots.plotting import Look, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The sides of the figure in inches, and how much of what is behind a band shows through.
WIDTH, HEIGHT = 6.3, 3.6
BAND = 0.18
MOST_LABEL, MOST_TITLE, MOST_NOTE = 40, 64, 84
DASHES = ("solid", "dashed", "dashdot", "dotted")


@dataclass(frozen=True)
class Band:
    """One outcome's predictions, and the ends of their intervals."""

    label: str
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class PredictionPanel:
    """Predictions of an outcome at increasing values of a covariate."""

    outcome: str
    covariate: str
    values: tuple[float, ...]
    bands: tuple[Band, ...]
    are_shares: bool
    confidence: float
    # The values that the other covariates have along the curve; "" if there are none.
    held: str = ""


def plot_prediction(path: Path, panel: PredictionPanel, look: Look) -> None:
    """Draw predictions into a new file."""
    write_figure(path, f"{panel.outcome} by {panel.covariate}", lambda: _draw(panel), look)


def _draw(panel: PredictionPanel) -> "Figure":
    from itertools import cycle

    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    from estimators.plots.paper import styles, two_lines

    figure = Figure(figsize=(WIDTH, HEIGHT))
    axes = figure.subplots()
    for band, (colour, _), dash in zip(panel.bands, styles(), cycle(DASHES), strict=False):
        axes.fill_between(panel.values, band.low, band.high, color=colour, alpha=BAND, linewidth=0)
        label = "\n".join(two_lines(band.label, MOST_LABEL))
        axes.plot(panel.values, band.mean, color=colour, linestyle=dash, label=label)
    title = f"{panel.outcome} by {panel.covariate}"
    axes.set_title("\n".join(two_lines(title, MOST_TITLE)))
    axes.set_xlabel(panel.covariate)
    axes.margins(x=0.02)
    axes.set_ylabel("Predicted share" if panel.are_shares else "Predicted mean")
    if panel.are_shares:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.6g}%"))
    axes.grid(True, axis="y")
    figure.legend(
        loc="outside lower left",
        ncols=3,
        title=_note(panel),
        alignment="left",
    )
    return figure


def _note(panel: PredictionPanel) -> str:
    from estimators.plots.paper import two_lines

    bands = f"Bands are {100 * panel.confidence:g} % intervals at each value"
    return "\n".join([bands, *(two_lines(f"At {panel.held}", MOST_NOTE) if panel.held else ())])
