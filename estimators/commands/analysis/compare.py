"""`compare`: one question between groups, with intervals and tests (math 14)."""

from pathlib import Path

import click

from client.console.printing import json_option, print_json
from client.core.primitives.refusal import require
from estimators.commands.analysis.compare_printing import print_comparison
from estimators.commands.analysis.data_option import (
    data_options,
    figure_look,
    figure_options,
    open_data,
    open_tally,
)
from estimators.commands.options import confidence_option
from estimators.compare.groups import compare_frame, compare_tallies
from estimators.compare.known_parts import read_margins, read_parts
from estimators.counting.group_columns import GROUP
from estimators.plots.forest_panel import forest_panel
from estimators.plots.plotting import plot_forest
from estimators.tallies.tally_file import is_tally_file

_FILE = click.Path(path_type=Path)


@click.command()
@data_options
@click.argument("question")
@click.option(
    "--by",
    default=GROUP,
    show_default=True,
    help="Compare by the groups, by a factor or another attribute of them, or by a CSV's column.",
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

    DATA is an export's zip or its folder, a file of reports with --survey, a tally (.json), or any
    CSV with --design.

    \b
    Examples:
      candor compare export.zip smokes
      candor compare export.zip smokes --by arm --reference control
      candor compare export.zip smokes --by region --attributes sites.csv
      candor compare reports.csv mood --survey survey.yaml --option Good --plot mood.pdf
      candor compare export.zip smokes --poststratify parts.csv --json
    """
    look = figure_look(plot, size, grey)
    parts = None if poststratify is None else read_parts(poststratify, by)
    margins = None if rake is None else read_margins(rake)
    if is_tally_file(data):
        require(not (design or attributes or rake), "no_rows", str(data))
        tally = open_tally(data, survey)
        asked = tally.question(question)
        tallies = {label: each[question] for label, each in tally.by(by).items()}
        found = compare_tallies(asked, tallies, option, reference, parts, confidence, by)
        title = asked.prompt
    else:
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
