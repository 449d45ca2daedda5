"""`audit`: check the shipped samplers exactly and by counting (math 13)."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from client.authoring.files import load_survey
from client.console.printing import json_option, print_json, print_table
from client.console.progress import Bar
from client.core.mechanisms import RandomizedResponse, TwoLevel
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.values import decimal_text
from client.core.primitives.words import SecureWords
from estimators.audit import audit as auditing
from estimators.audit.audit import audited_answers

# With this many runs the proven leak is within a few hundredths of the true one.
DEFAULT_RUNS = 100_000


@click.command()
@click.argument("survey", required=False, type=click.Path(path_type=Path))
@click.option("--epsilon", help="Audit a yes/no question at this epsilon instead of a survey.")
@click.option(
    "--runs", type=int, default=DEFAULT_RUNS, show_default=True, help="Draws per true answer."
)
@json_option
def audit(survey: Path | None, epsilon: str | None, runs: int, as_json: bool) -> None:
    """Check that the randomizers leak no more than they promise.

    The integers are checked exactly. Then the shipped sampler runs on two or three true answers
    of each question, and the counts prove a lower bound of the leak. Exit code 1 if either is
    above epsilon, or if the reports are proven to say less than the estimators assume.

    \b
    Examples:
      candor audit survey.yaml
      candor audit --epsilon 1 --runs 1000000 --json
    """
    if (survey is None) == (epsilon is None):
        raise click.UsageError("give either a SURVEY or --epsilon")
    audits = list(_audits(survey, epsilon, runs))
    passes = all(row["passes"] for row in audits)
    if as_json:
        print_json({"passes": passes, "runs_per_answer": runs, "questions": audits})
    else:
        _print_table(audits, passes)
    if not passes:
        raise SystemExit(1)


def _audits(path: Path | None, epsilon: str | None, runs: int) -> Iterator[dict[str, Any]]:
    if epsilon is not None:
        chosen = parse_epsilon(epsilon)
        yield _run("yes-no", RandomizedResponse.at(chosen), chosen, runs)
    if path is not None:
        for question in load_survey(path).questions:
            yield _run(question.id, question.mechanism, question.epsilon, runs)


def _run(label: str, mechanism: TwoLevel, epsilon: Decimal, runs: int) -> dict[str, Any]:
    steps = runs * len(audited_answers(mechanism))
    with Bar(f"Auditing {label}", steps, "respondents") as bar:
        result = auditing.audit(mechanism, epsilon, SecureWords(), runs, on_run=bar.advance)
    return {
        "question": label,
        "mechanism": mechanism.name,
        "epsilon": decimal_text(epsilon),
        "threshold": mechanism.threshold,
        "shape": mechanism.shape,
        "draws": mechanism.draws,
        "delivered_epsilon": result.delivered_epsilon,
        "exact_passes": result.exact_passes,
        "proven_leak": result.epsilon_low,
        "false_alarm": auditing.FALSE_ALARM,
        "malformed": result.malformed,
        "private": result.private,
        "useful": result.useful,
        "empirical_passes": result.empirical_passes,
        "passes": result.passes,
    }


def _print_table(audits: list[dict[str, Any]], passes: bool) -> None:
    print_table(
        ["question", "mechanism", "verdict", "epsilon shown", "delivered", "proven by counting"],
        [
            (
                row["question"],
                row["mechanism"],
                "passes" if row["passes"] else "FAILS",
                row["epsilon"],
                f"{row['delivered_epsilon']:.9f}",
                f"at least {row['proven_leak']:.3f}",
            )
            for row in audits
        ],
        words=3,
    )
    if passes:
        click.echo("Every randomizer keeps its promise.")
    elif all(row["exact_passes"] and row["private"] for row in audits):
        click.echo("A randomizer says less than it promises: its estimates would be wrong.")
    else:
        click.echo("A randomizer leaks more than it promises: do not use it.")
