"""Show what a simulation found: a table, CSV, JSON, or a figure in a file."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from client.console.printing import csv_option, json_option, print_csv, print_json, print_table
from client.console.progress import in_words
from estimators.commands.simulate_options import check_plot, draw, plot_options
from estimators.study.rows import Row, cell_json, figures_of, long_table
from estimators.study.sweep import CellResult

# A table shows this many options at most; --json has them all.
MOST_ROWS = 30
HEADINGS = ["truth", "mean", "bias", "error", "promised", "coverage", "curator"]


def print_study(result: Row, cell: Row) -> None:
    """Print every figure of one survey and what the formulas promise for it."""
    shares = [
        (question["question"], row["label"], *_cells(row, as_share=True))
        for question in cell["questions"]
        for row in question.get("options", [])[:MOST_ROWS]
    ]
    means = [
        (question["question"], "mean", *_cells(question["mean"], as_share=False))
        for question in cell["questions"]
        if "mean" in question
    ]
    for figure, rows in (("option", shares), ("figure", means)):
        if rows:
            print_table(["question", figure, *HEADINGS], rows, words=2)
    for question in cell["questions"]:
        more = len(question.get("options", [])) - MOST_ROWS
        if more > 0:
            click.echo(f"{question['question']}: {more:,} more options, all of them with --json.")
    _explain()
    for question in cell["questions"]:
        people = _curator_respondents(question)
        click.echo(
            f"{question['question']}: a trusted curator would get this error from about "
            f"{people:,.0f} of the {cell['respondents']:,} respondents."
        )
    click.echo(
        f"{cell['repeats']:,} samples of {cell['respondents']:,} respondents, seed "
        f"{result['seed']}, engine {cell['engine']} ({cell['engine_reason']}):"
    )
    click.echo(f"{cell['seconds']:.2f} s, {_rate(cell)}.")


def print_sweep(result: Row) -> None:
    """Print one line for every question of every cell, with errors averaged over its options."""
    print_table(
        ["question", "epsilon", "respondents", "error", "promised", "coverage", "curator"],
        [
            (
                question["question"],
                cell["epsilon"],
                f"{cell['respondents']:,}",
                *_average_cells(question),
            )
            for cell in result["cells"]
            for question in cell["questions"]
        ],
        words=1,
    )
    _explain()
    click.echo("Over several options errors are root mean squares. Epsilon: of the whole survey.")
    engines = sorted({f"{cell['engine']} ({cell['engine_reason']})" for cell in result["cells"]})
    click.echo(
        f"{result['repeats']:,} samples per line, seed {result['seed']}, "
        f"engine {', '.join(engines)}: {sum(cell['seconds'] for cell in result['cells']):.2f} s."
    )


def _explain() -> None:
    click.echo("Error: root mean square over the samples; promised: by the formulas.")
    click.echo("Coverage: intervals that held the truth, ± one standard error of so many samples.")
    click.echo("Curator: the error if the true answers were handed to somebody who adds noise")
    click.echo("with the same epsilon and promise: one person's answer may be replaced.")


def _rate(cell: Row) -> str:
    return f"{in_words(cell['respondents_per_second'])} respondents per second"


def _cells(row: dict[str, float], as_share: bool) -> tuple[str, ...]:
    """Return one study as text: shares in per cent, means in their own unit."""
    if row["bias"] is None:
        return (*["–"] * (len(HEADINGS)),)
    plain, fine = (".2%", _fine(row["promised_error"])) if as_share else (".4g", ".3g")
    return (
        *(format(row[key], plain) for key in ("truth", "mean_estimate")),
        format(row["bias"], f"+{fine}"),
        *(format(row[key], fine) for key in ("rmse", "promised_error")),
        _coverage(row["coverage"], row["coverage_error"]),
        format(row["curator_error"], fine),
    )


def _average_cells(question: Row) -> tuple[str, ...]:
    rows = [row for row in figures_of(question) if row["bias"] is not None]
    if not rows:
        return ("–", "–", "–", "–")
    errors = [
        _root_mean_square([row[key] for row in rows])
        for key in ("promised_error", "rmse", "curator_error")
    ]
    fine = ".3g" if "mean" in question else _fine(errors[0])
    promised, error, curator = (format(value, fine) for value in errors)
    coverage = math.fsum(row["coverage"] for row in rows) / len(rows)
    return error, promised, _coverage(coverage, rows[0]["coverage_error"]), curator


def _fine(error: float) -> str:
    """Return a percentage format with three significant digits, even for tiny errors."""
    size = math.floor(math.log10(100 * error)) if error else 0
    return f".{max(3, 2 - size)}%"


def _coverage(share: float, error: float) -> str:
    return f"{share:.1%} ± {error:.1%}"


def _curator_respondents(question: Row) -> float:
    """Return the middle value over the question's figures: one number for a sentence."""
    found: list[Any] = sorted(row["curator_respondents"] for row in figures_of(question))
    return float(found[len(found) // 2])


def _root_mean_square(values: list[float]) -> float:
    return math.sqrt(math.fsum(value**2 for value in values) / len(values))


F = TypeVar("F", bound=Callable[..., Any])


def output_options(command: F) -> F:
    """Add `--plot`, `--figure`, `--csv` and `--json`."""
    for option in (json_option, csv_option, plot_options):
        command = option(command)
    return command


@dataclass(frozen=True)
class Output:
    """How the result is shown; as a table unless the options say otherwise."""

    plot: Path | None
    figure: str | None
    as_csv: bool
    as_json: bool

    @property
    def is_wanted(self) -> bool:
        """Whether any output was asked for explicitly."""
        return self.plot is not None or self.figure is not None or self.as_csv or self.as_json

    def check(self, is_sweep: bool) -> None:
        """Raise if the figure cannot be drawn, before any work is done."""
        check_plot(self.plot, self.figure, is_sweep)

    def show(self, head: Row, results: Sequence[CellResult], is_sweep: bool) -> None:
        """Draw the figure, then print the result; a single survey is printed without cells."""
        # Draw first: a reader such as `head` may close the pipe, which ends this process.
        if self.plot is not None:
            draw(self.plot, self.figure, results, head["confidence"])
            click.echo(f"Figure written to {self.plot}", err=True)
        cells = [cell_json(item) for item in results]
        if self.as_csv:
            print_csv(long_table(cells))
        elif self.as_json:
            print_json({**head, "cells": cells} if is_sweep else {**head, **cells[0]})
        elif is_sweep:
            print_sweep({**head, "cells": cells})
        else:
            print_study(head, cells[0])
