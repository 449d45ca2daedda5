"""`estimate`: counts or a file of reports become debiased estimates."""

import re
from pathlib import Path
from typing import Any

import click

from client.channel import parse_epsilon
from client.decimals import decimal_text
from client.progress import Bar
from client.refusal import Refusal
from client.survey_file import load_survey
from client.terminal import json_option, print_json, print_table
from estimators.estimate import estimate_options
from estimators.mechanism_option import mechanism_named
from estimators.reports_file import file_size, tally_file
from estimators.table import CONFIDENCE, estimate_table, figures, method_name
from estimators.tally import Tally

_COUNT = re.compile(r"[0-9]{1,15}")


@click.command()
@click.argument("reports", required=False, type=click.Path(path_type=Path))
@click.option("--survey", type=click.Path(path_type=Path), help="The survey of REPORTS.")
@click.option("--mechanism", default="rr", show_default=True, help="With --counts: its name.")
@click.option("--epsilon", help="With --counts: the epsilon of the question.")
@click.option("--counts", help="Reports per option, 569,431 for 569 No and 431 Yes.")
@click.option("--confidence", type=float, default=CONFIDENCE, show_default=True)
@click.option("--exact", is_flag=True, help="Guaranteed intervals (Clopper-Pearson).")
@json_option
def estimate(
    reports: Path | None,
    survey: Path | None,
    mechanism: str,
    epsilon: str | None,
    counts: str | None,
    confidence: float,
    exact: bool,
    as_json: bool,
) -> None:
    """Estimate the true totals and shares from randomized reports.

    REPORTS is a file of reports, .jsonl (one report per line) or .csv (a column per question).

    \b
    Examples:
      candor estimate --mechanism rr --epsilon 1 --counts 569,431 --json
      candor estimate reports.jsonl --survey survey.json
    """
    if reports is not None and survey is not None and counts is None and epsilon is None:
        answer = _from_file(reports, survey, confidence, exact)
    elif reports is None and survey is None and counts is not None and epsilon is not None:
        answer = _from_counts(mechanism, epsilon, counts, confidence, exact)
    else:
        raise click.UsageError("give either --counts with --epsilon, or REPORTS with --survey")
    if as_json:
        print_json(answer)
    else:
        _print_table(answer)


def _from_counts(
    mechanism: str, epsilon: str, counts: str, confidence: float, exact: bool
) -> dict[str, Any]:
    chosen = mechanism_named(mechanism, parse_epsilon(epsilon))
    tally = Tally.of_cells(_parse_counts(counts))
    return {
        "mechanism": chosen.name,
        "epsilon": decimal_text(parse_epsilon(epsilon)),
        "threshold": chosen.threshold,
        "p": float(chosen.p),
        "q": float(chosen.q),
        "n": tally.n,
        "method": method_name(exact),
        "confidence": confidence,
        "estimates": [
            {"option": option, "label": str(option), **figures(result, confidence, exact)}
            for option, result in enumerate(estimate_options(chosen, tally))
        ],
    }


def _from_file(reports: Path, path: Path, confidence: float, exact: bool) -> dict[str, Any]:
    survey = load_survey(path)
    with Bar("Counting", file_size(reports)) as bar:
        tallies = tally_file(reports, survey, bar.advance)
    return {
        "survey": survey.slug,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "n": next(iter(tallies.values())).n,
        "method": method_name(exact),
        "confidence": confidence,
        "estimates": estimate_table(survey, tallies, confidence, exact),
    }


def _parse_counts(text: str) -> list[int]:
    parts = text.split(",")
    if not all(_COUNT.fullmatch(part) for part in parts):
        raise Refusal(
            "bad_counts",
            f"counts must be integers of at least 0 such as 569,431, got {text[:80]!r}",
            "counts",
        )
    return [int(part) for part in parts]


def _print_table(answer: dict[str, Any]) -> None:
    names = [name for name in ("question", "label") if name in answer["estimates"][0]]
    percent = f"{100 * answer['confidence']:g} % interval"
    click.echo(f"{answer['n']:,} reports")
    print_table(
        [*names, "reported", "share", percent, "total", "noise"],
        [
            (
                *(row[name] for name in names),
                f"{row['reported_count']:,}",
                f"{row['share']:.2%}" + (" !" if row["flag"] else ""),
                f"{row['low']:.2%} to {row['high']:.2%}",
                f"{row['total']:,.1f}",
                f"± {row['noise_error'] * answer['n']:,.1f}",
            )
            for row in answer["estimates"]
        ],
        words=len(names),
    )
    click.echo("The interval is for the population from which the respondents come.")
    click.echo("Noise is the standard error of the total among these very respondents.")
    if any(row["flag"] for row in answer["estimates"]):
        click.echo("! No possible share lies in the interval: chance, or forged reports.")
