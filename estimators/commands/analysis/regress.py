"""`regress`: how true answers depend on covariates and on each other (math 16)."""

from pathlib import Path
from typing import Any

import click

from client.console.printing import json_option, print_json, print_table
from estimators.commands.analysis.data_option import (
    data_options,
    figure_look,
    figure_options,
    open_data,
)
from estimators.commands.options import confidence_option
from estimators.regression.libraries import load_analysis

MODELS = ("logit", "multinomial", "ordinal", "linear")
COVS = {"nonrobust": "nonrobust", "hc0": "HC0", "hc1": "HC1", "cluster": "cluster"}


@click.command()
@data_options
@click.option("--formula", required=True, help="outcome ~ terms, as in 'used ~ arm + age'.")
@click.option("--model", type=click.Choice(MODELS), help="By default what suits the outcome.")
@click.option("--weights", metavar="COLUMN", help="Sampling weights; errors are then robust.")
@click.option("--freq-weights", metavar="COLUMN", help="How often each row is repeated.")
@click.option("--cluster", metavar="COLUMN", help="Rows with the same entry belong together.")
@click.option("--cov", type=click.Choice(list(COVS)), help="The kind of standard errors.")
@click.option("--survey-correction", is_flag=True, help="n/(n-1) only, as survey packages do.")
@click.option(
    "--predictors-on",
    metavar="TERMS",
    help="What randomized predictors may depend on beside the other terms.",
)
@click.option("--margins", is_flag=True, help="Add average marginal effects.")
@click.option("--tests", is_flag=True, help="Add a test of each term.")
@click.option(
    "--predict",
    multiple=True,
    metavar="VALUES",
    help="Predict at these values, age=30,arm=a; covariates not named are at their mean or mode.",
)
@click.option("--over", metavar="COLUMN", help="With --plot: the covariate along the axis.")
@figure_options
@confidence_option
@json_option
def regress(
    data: Path,
    survey: Path | None,
    design: Path | None,
    attributes: Path | None,
    formula: str,
    cov: str | None,
    survey_correction: bool,
    margins: bool,
    tests: bool,
    predict: tuple[str, ...],
    over: str | None,
    plot: Path | None,
    size: str | None,
    grey: bool,
    confidence: float,
    as_json: bool,
    **fit: Any,
) -> None:
    """Fit a regression of the true answers, which nobody saw, from the reports.

    The outcome, predictors or both may be randomized questions, named by their ids; a yes/no
    question is 1 for its second answer. Other covariates are `group`, attributes of groups or
    columns of a CSV. One answer of a question with several is an outcome as question == 'answer'.

    \b
    Examples:
      candor regress export.zip --formula 'used ~ group'
      candor regress export.zip --attributes groups.csv --formula 'hours ~ size' --model linear
      candor regress trial.csv --design design.json --formula 'used ~ arm + age' --margins
      candor regress trial.csv --design design.json --formula 'relapse ~ age + used'
    """
    load_analysis()
    look = figure_look(plot, size, grey)
    if over is not None and plot is None:
        raise click.UsageError("--over needs --plot FILE")
    # Imported late: they need the extra libraries.
    from estimators.regression import report, scenarios
    from estimators.regression.regress import regress as fit_model

    frame = open_data(data, survey, design, attributes)
    chosen: Any = None if cov is None else COVS[cov]
    results = fit_model(
        *(frame, formula),
        **fit,
        cov=chosen,
        correction="survey" if survey_correction else None,
    )
    values = [scenarios.parse_values(text, results.columns) for text in predict]
    figures = {"formula": formula, **results.as_json(confidence)}
    figures |= _asked_figures(results, margins, tests, values, confidence)
    if plot is not None:
        from estimators.plots.prediction import plot_prediction

        panel = report.prediction_panel(results, over, values[0] if values else {}, confidence)
        plot_prediction(plot, panel, look)
    if as_json:
        print_json(figures)
    else:
        print_regression(figures)


def _asked_figures(
    results: Any, margins: bool, tests: bool, values: list[dict[str, Any]], confidence: float
) -> dict[str, Any]:
    """Return what the options ask for beside the coefficients."""
    from estimators.regression import report

    found: dict[str, Any] = {}
    if margins:
        found["marginal_effects"] = report.margin_figures(results, confidence)
    if tests:
        found["term_tests"] = report.term_figures(results)
    if values:
        predicted = [report.prediction_figures(results, each, confidence) for each in values]
        found["predictions"] = predicted
    return found


def print_regression(figures: dict[str, Any]) -> None:
    """Print a fit for people: coefficients first, then what they mean."""
    percent = f"{100 * figures['confidence']:g} %"
    rows = [
        (
            *(name, f"{figures['params'][name]:.4f}", f"{figures['bse'][name]:.4f}"),
            *(f"{end:.4f}" for end in figures["conf_int"][name]),
            _p(figures["pvalues"][name]),
        )
        for name in figures["params"]
    ]
    headings = ("", "coefficient", "std error", f"{percent} low", "high", "p")
    print_table(headings, rows, words=1)
    click.echo(
        f"{figures['model']} model of {figures['outcome']}, {figures['n']:,} reports, "
        f"{figures['cov_type']} errors, log-likelihood {figures['llf']:.4f}"
    )
    if figures["overall_test"] is not None:
        click.echo(f"All covariates together: {_test(figures['overall_test'])}")
    for outcome, own in figures["mean_prediction"].items():
        click.echo(f"Mean prediction of {_named(figures, outcome)}: {_interval(own)}")
    _print_more(figures)
    for note in figures["notes"]:
        click.echo(note)


def _print_more(figures: dict[str, Any]) -> None:
    """Print what was asked for beside the coefficients."""
    if "marginal_effects" in figures:
        click.echo("\nAverage marginal effects:")
        rows = [
            (row["column"], row["outcome"], row["change"], *_four(row, "effect"))
            for row in figures["marginal_effects"]
        ]
        headings = ("", "outcome", "change", "effect", "std error", "low", "high")
        print_table(headings, rows, words=3)
    for term, test in figures.get("term_tests", {}).items():
        click.echo(f"Without {term}: {_test(test)}")
    for prediction in figures.get("predictions", []):
        at = ", ".join(f"{name}={_short(value)}" for name, value in prediction["at"].items())
        for outcome, own in prediction["predicted"].items():
            click.echo(f"{_named(figures, outcome)} at {at}: {_interval(own)}")


def _named(figures: dict[str, Any], label: str) -> str:
    """Return a label with its question; a plain column is its own label."""
    outcome: str = figures["outcome"]
    return outcome if label == outcome else f"{outcome} = {label}"


def _four(row: dict[str, float], name: str) -> list[str]:
    return [f"{row[key]:.4f}" for key in (name, "standard_error", "low", "high")]


def _interval(own: dict[str, float]) -> str:
    return f"{own['mean']:.4f} ({own['low']:.4f} to {own['high']:.4f})"


def _test(test: dict[str, Any]) -> str:
    return f"{test['test']} {test['statistic']:.4f}, df {test['df']}, p {_p(test['pvalue'])}"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
