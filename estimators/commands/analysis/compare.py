"""`compare`: one question between groups, with intervals and tests (math 14)."""

from pathlib import Path

import click

from client.console.printing import json_option, print_json
from estimators.columns.frame import GROUP
from estimators.commands.analysis.compare_printing import print_comparison
from estimators.commands.analysis.data_option import (
    data_options,
    figure_look,
    figure_options,
    open_data,
)
from estimators.commands.options import confidence_option
from estimators.compare.figures import SHARE
from estimators.compare.groups import compare_frame
from estimators.compare.known_parts import read_margins, read_parts
from estimators.compare.result import Comparison
from estimators.plots.panels import ForestPanel, ForestRow
from estimators.plots.plotting import plot_forest

_FILE = click.Path(path_type=Path)


@click.command()
@data_options
@click.argument("question")
@click.option(
    "--by",
    default=GROUP,
    show_default=True,
    help="Compare by the groups of links, by one of their attributes, or by a column of the CSV.",
)
@click.option("--option", help="Compare this option or box only.")
@click.option("--reference", help="Compare every group with this one, not all pairs.")
@click.option(
    "--poststratify",
    type=_FILE,
    help="A CSV with the groups' known parts of the population: the --by column and part.",
)
@click.option(
    "--rake", type=_FILE, help="A CSV with known margins, with columns attribute, level and part."
)
@confidence_option
@figure_options
@json_option
def compare(
    data: Path,
    survey: Path | None,
    design: Path | None,
    attributes: Path | None,
    question: str,
    by: str,
    option: str | None,
    reference: str | None,
    poststratify: Path | None,
    rake: Path | None,
    confidence: float,
    plot: Path | None,
    size: str | None,
    grey: bool,
    as_json: bool,
) -> None:
    """Compare one question between groups: shares or means, differences, ratios and tests.

    DATA is an export's zip or its folder, a file of reports with --survey, or any CSV with
    --design.

    \b
    Examples:
      candor compare export.zip smokes
      candor compare export.zip smokes --by region --attributes groups.csv --reference north
      candor compare reports.csv mood --survey survey.yaml --option Good --plot mood.pdf
      candor compare export.zip smokes --poststratify parts.csv --json
    """
    look = figure_look(plot, size, grey)
    parts = None if poststratify is None else read_parts(poststratify, by)
    margins = None if rake is None else read_margins(rake)
    frame = open_data(data, survey, design, attributes)
    found = compare_frame(
        frame, question, by, option, reference, parts, margins, confidence=confidence
    )
    own = frame.question(question).question
    title = question if own is None else own.prompt
    if plot is not None:
        plot_forest(plot, forest_panel(found, title), look)
    if as_json:
        print_json(found.as_json())
    else:
        print_comparison(found, title)


def forest_panel(found: Comparison, title: str) -> ForestPanel:
    """Return what a forest plot of the comparison shows."""
    options = {row.option for row in found.groups}
    several = len(options) > 1

    def named(option: str, name: str) -> str:
        return f"{option}: {name}" if several else name

    return ForestPanel(
        title=" ".join([title, *(f"({option})" for option in options if option and not several)]),
        groups=tuple(
            ForestRow(named(row.option, row.group), row.value, row.low, row.high, row.group)
            for row in found.groups
        ),
        differences=tuple(
            ForestRow(
                named(row.option, f"{row.group} − {row.reference}"),
                row.difference,
                row.low,
                row.high,
            )
            for row in found.differences
        ),
        unit=None if found.quantity == SHARE else found.unit,
        confidence=found.confidence,
    )
