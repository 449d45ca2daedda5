"""`cross`: a table of two questions of the same people."""

from pathlib import Path

import click

from client.console.printing import json_option, print_json
from estimators.commands.analysis.cross_printing import COLUMNS, ROWS, print_cross
from estimators.commands.analysis.data_option import (
    data_options,
    figure_look,
    figure_options,
    open_data,
)
from estimators.commands.options import confidence_option
from estimators.cross.crossing import cross as cross_questions
from estimators.plots.cross_panel import cross_panel
from estimators.plots.plotting import plot_cross


@click.command()
@data_options
@click.argument("first")
@click.argument("second", required=False)
@click.option(
    "--shares",
    type=click.Choice((ROWS, COLUMNS)),
    default=ROWS,
    show_default=True,
    help="Print and draw each cell's share of its row, or of its column.",
)
@confidence_option
@json_option
@figure_options
def cross(
    data: Path,
    survey: Path | None,
    design: Path | None,
    attributes: Path | None,
    first: str,
    second: str | None,
    shares: str,
    confidence: float,
    as_json: bool,
    plot: Path | None,
    size: str | None,
    grey: bool,
) -> None:
    """Cross two questions of the same people: joint shares, association, test of independence.

    DATA is an export's zip or its folder, a file of reports with --survey, or any CSV with
    --design. FIRST makes the rows and SECOND the columns. A question of the kind cross needs no
    SECOND. Write question:option for one option or box, and question:30,60 for classes of a number.

    \b
    Examples:
      candor cross export.zip smokes vapes
      candor cross export.zip conditions:Asthma smokes --json
      candor cross export.zip smokes hours
      candor cross reports.csv region diet --survey survey.yaml --shares columns --plot diet.pdf
    """
    look = figure_look(plot, size, grey)
    table = cross_questions(open_data(data, survey, design, attributes), first, second, confidence)
    if plot is not None:
        plot_cross(plot, cross_panel(table, by_columns=shares == COLUMNS), look)
    if as_json:
        print_json(table.as_json())
    else:
        print_cross(table, shares)
