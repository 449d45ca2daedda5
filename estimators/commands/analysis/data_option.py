"""Options that the commands for analysis share: where the data are, and how a figure looks."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from client.authoring.files import load_survey
from client.console.progress import Bar
from client.core.primitives.refusal import Refusal, require
from estimators.columns.frame import Frame
from estimators.columns.reading import read_frame
from estimators.counting.reports_file import file_size
from estimators.plots.plotting import Look, check_plot_file
from estimators.tallies.survey_tally import SurveyTally
from estimators.tallies.tally_file import read_tally

F = TypeVar("F", bound=Callable[..., None])
_FILE = click.Path(path_type=Path)
_SIZE = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?)x([0-9]{1,2}(?:\.[0-9]+)?)")
# A figure's sides in inches.
LEAST_SIDE, MOST_SIDE = 1.0, 40.0


def data_options(command: F) -> F:
    """Add DATA and the options that say what it is."""
    for option in (
        click.option("--attributes", type=_FILE, help="A CSV with a row per group of links."),
        click.option("--design", type=_FILE, help="DATA is any CSV, randomized as this file says."),
        click.option("--survey", type=_FILE, help="DATA is a file of reports to this survey."),
        click.argument("data", type=_FILE),
    ):
        command = option(command)
    return command


def open_data(
    data: Path, survey: Path | None, design: Path | None, attributes: Path | None
) -> Frame:
    """Read the data set that the options name, with a bar if it takes long."""
    with Bar("Reading", file_size(data), "bytes") as bar:
        return read_frame(data, survey, design, attributes, bar.advance)


def open_tally(data: Path, survey: Path | None) -> SurveyTally:
    """Read a tally, which must be one of the survey if that is named."""
    tally = read_tally(data)
    if survey is not None:
        wanted, got = load_survey(survey).fingerprint, tally.survey.fingerprint
        require(got == wanted, "other_survey.tally", str(data), wanted=wanted, got=got)
    return tally


def figure_options(command: F, or_size: str = "") -> F:
    """Add the options for a figure and its look; `or_size` is what --size also means."""
    for option in (
        click.option("--grey", is_flag=True, help="With --plot: without colours."),
        click.option("--size", help=f"With --plot: width x height in inches, 6.3x4.{or_size}"),
        click.option("--plot", type=_FILE, help="A new file for a figure: .svg, .png or .pdf."),
    ):
        command = option(command)
    return command


def figure_look(plot: Path | None, size: str | None, grey: bool, no_reported: bool = False) -> Look:
    """Return the look of the figure; raise now, before any work, if it cannot be drawn."""
    if plot is None:
        if size is not None or grey or no_reported:
            raise click.UsageError("--size, --grey and --no-reported need --plot FILE")
        return Look()
    check_plot_file(plot)
    return Look(None if size is None else _parse_size(size), grey)


def _parse_size(text: str) -> tuple[float, float]:
    match = _SIZE.fullmatch(text)
    sides = tuple(map(float, match.groups())) if match else ()
    if len(sides) != 2 or not all(LEAST_SIDE <= side <= MOST_SIDE for side in sides):
        raise Refusal("bad_size", "size", low=LEAST_SIDE, high=MOST_SIDE, text=text)
    return sides[0], sides[1]
