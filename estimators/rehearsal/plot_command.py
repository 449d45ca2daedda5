"""The options that draw a simulation into a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from estimators.plots.panels import Surveys
from estimators.plots.plotting import check_plot_file, plot_errors, plot_estimates, plot_prices
from estimators.rehearsal.panels import error_panels, estimate_panels, price_panels
from estimators.rehearsal.sweep import Rehearsal

F = TypeVar("F", bound=Callable[..., Any])

ESTIMATES, ERRORS, PRICE = FIGURES = ("estimates", "errors", "price")


def plot_options(command: F) -> F:
    """Where to, and which of the figures."""
    for option in (
        click.option(
            "--figure",
            type=click.Choice(FIGURES),
            help="estimates beside the truth (of one survey), errors by respondents and epsilon, "
            "or the price of trusting no curator. The first one unless there is a grid.",
        ),
        click.option(
            "--plot",
            type=click.Path(path_type=Path),
            help="A new file for a figure: .svg, .png or .pdf.",
        ),
    ):
        command = option(command)
    return command


def check_plot(plot: Path | None, figure: str | None, is_sweep: bool) -> None:
    """Asked before the work is done."""
    if plot is None:
        if figure is not None:
            raise click.UsageError("--figure needs --plot FILE")
        return
    if figure == ESTIMATES and is_sweep:
        raise click.UsageError("--figure estimates is for one epsilon and one --respondents")
    check_plot_file(plot)


def draw(
    plot: Path, figure: str | None, rehearsals: Sequence[Rehearsal], confidence: float
) -> None:
    """The figure asked for, or the one that suits what was simulated."""
    is_sweep = len(rehearsals) > 1
    match figure or (ERRORS if is_sweep else ESTIMATES):
        case "errors":
            plot_errors(plot, error_panels(rehearsals))
        case "price":
            plot_prices(plot, price_panels(rehearsals))
        case _:
            (only,) = rehearsals
            surveys = Surveys(only.repeats, only.plan.respondents, confidence)
            plot_estimates(plot, estimate_panels(only), surveys)
