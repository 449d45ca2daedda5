"""`estimate`: turn counts or a file of reports into debiased estimates."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from client.console.printing import json_option, print_json
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.commands.analysis.data_option import figure_look, figure_options
from estimators.commands.analysis.estimate_data import estimate_data, only_about
from estimators.commands.analysis.estimate_printing import print_estimates
from estimators.commands.options import (
    SHAPE,
    confidence_option,
    mechanism_named,
    mechanism_options,
)
from estimators.counting.tally import Tally
from estimators.plots.cross_panel import cross_panel
from estimators.plots.plotting import Look, plot_cross, plot_result
from estimators.plots.question_panel import question_panel
from estimators.shares.draws import Draw
from estimators.shares.shares import ShareEstimates
from estimators.tables.forging import (
    forging_rows,
    mechanism_draws,
)
from estimators.tables.level_rows import level_rows
from estimators.tables.question import estimate_mechanism
from estimators.tables.rows import (
    FEWEST_OPTIONS,
    Row,
    leader_row,
    method_name,
    share_rows,
)

_COUNT = re.compile(r"[0-9]{1,15}")


@click.command()
@click.argument("data", required=False, type=click.Path(path_type=Path))
@click.option(
    "--survey", type=click.Path(path_type=Path), help="DATA is a file of reports to this survey."
)
@click.option(
    "--design",
    type=click.Path(path_type=Path),
    help="DATA is any CSV, randomized as this file says.",
)
@click.option("--question", help="With DATA: only this question.")
@click.option(
    "--by",
    metavar="COLUMN",
    help="With DATA: also for each value of this column, such as group.",
)
@partial(mechanism_options, without=("size",))
@click.option("--epsilon", help="With --counts: the epsilon of the question.")
@click.option("--counts", help="Reports per cell of the tally, 569,431 for 569 No and 431 Yes.")
@confidence_option
@click.option("--exact", is_flag=True, help="Guaranteed intervals (Clopper-Pearson).")
@partial(figure_options, or_size=f" Without: {SHAPE['size']}")
@click.option("--no-reported", is_flag=True, help="With --plot: leave out the reported shares.")
@json_option
def estimate(
    data: Path | None,
    survey: Path | None,
    design: Path | None,
    question: str | None,
    by: str | None,
    mechanism: str,
    epsilon: str | None,
    counts: str | None,
    confidence: float,
    exact: bool,
    plot: Path | None,
    size: str | None,
    grey: bool,
    no_reported: bool,
    as_json: bool,
    **shape: int | None,
) -> None:
    """Estimate the true totals and shares from randomized reports.

    DATA is an export's zip or its folder; or a file of reports with its survey: .jsonl (one report
    per line), .csv or .parquet (a column per question); or a tally (.json), which candor tally
    writes; or any CSV with the design of its columns.

    \b
    Examples:
      candor estimate --mechanism rr --epsilon 1 --counts 569,431 --json
      candor estimate --mechanism ss --options 5 --size 2 --epsilon 0.5 --counts 9,8,8,7,8
      candor estimate reports.jsonl --survey survey.json
      candor estimate tally.json
      candor estimate export.zip --by group
      candor estimate export.zip --question smokes --plot smokes.pdf --no-reported
      candor estimate answers.csv --design design.json
    """
    if data is not None and counts is None and epsilon is None:
        look = figure_look(plot, size, grey, no_reported)
        asked, result = estimate_data(data, survey, design, confidence, exact, by)
        if question is not None:
            result = only_about(result, question)
        if plot is not None:
            _plot(plot, asked, result, not no_reported, look)
    elif data is None and survey is design is None and counts is not None and epsilon is not None:
        if question is not None or by is not None or plot is not None or grey or no_reported:
            raise click.UsageError("--question, --by and figures need DATA, not --counts")
        shape["size"] = None if size is None else click.INT(size)
        result = _from_counts(mechanism, shape, epsilon, counts, confidence, exact)
    else:
        raise click.UsageError("give either DATA, or --counts with --epsilon")
    if as_json:
        tables = {id: table.as_json() for id, table in result.get("cross_tables", {}).items()}
        print_json(result | ({"cross_tables": tables} if tables else {}))
    else:
        print_estimates(result)


def _from_counts(
    name: str,
    shape: dict[str, int | None],
    epsilon: str,
    counts: str,
    confidence: float,
    exact: bool,
) -> dict[str, Any]:
    mechanism = mechanism_named(name, parse_epsilon(epsilon), shape)
    tally = Tally.of_cells(_parse_counts(counts), mechanism.marks)
    estimates = estimate_mechanism(mechanism, tally)
    labels: list[str] = []
    leaders: list[Row] = []
    if isinstance(estimates, ShareEstimates):
        labels = [str(option) for option in range(len(estimates.shares))]
        rows = share_rows(estimates, labels, confidence, exact)
        if len(labels) >= FEWEST_OPTIONS:
            leaders = [leader_row(estimates, labels, confidence)]
    else:
        silent = 0 if estimates.silent is None else len(estimates.silent.shares)
        labels = [str(estimates.top + number) for number in range(1, silent + 1)]
        rows = level_rows(estimates, labels, confidence, exact)
    support = mechanism.support
    return {
        "mechanism": name,
        "epsilon": decimal_text(parse_epsilon(epsilon)),
        "threshold": mechanism.threshold,
        "shape": mechanism.shape,
        "p": support and float(support[0]),
        "q": support and float(support[1]),
        "n": estimates.n,
        "method": method_name(exact),
        "confidence": confidence,
        "estimates": [{"n": estimates.n} | row for row in rows],
        "leaders": leaders,
        "forging": forging_rows(estimates, labels, Draw(estimates.n)),
        "draws": mechanism_draws(mechanism, tally, labels),
    }


def _plot(
    path: Path, survey: Survey | None, result: dict[str, Any], reported: bool, look: Look
) -> None:
    """Draw the one question that the result is about."""
    names = {row["question"] for row in result["estimates"]}
    if len(names) > 1:
        raise click.UsageError("--plot draws one question; name it with --question ID")
    (name,) = names
    questions = {} if survey is None else {each.id: each for each in survey.questions}
    question = questions.get(name)
    if tables := result.get("cross_tables"):
        plot_cross(path, replace(cross_panel(tables[name]), title=questions[name].prompt), look)
        return
    panel = question_panel(name, question, result["estimates"], reported)
    require(bool(panel.results), "no_reports.two", name)
    plot_result(path, panel, look)


def _parse_counts(text: str) -> list[int]:
    parts = text.split(",")
    if not all(_COUNT.fullmatch(part) for part in parts):
        raise Refusal("bad_counts.text", "counts", text=text)
    return [int(part) for part in parts]
