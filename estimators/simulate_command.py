"""`simulate`: a survey tried on synthetic populations before anybody is asked."""

import time
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import click
from numpy.random import Generator

from client.channel import decimal_text, parse_epsilon
from client.draft import YES_NO_OPTIONS
from client.mechanisms import RandomizedResponse, TwoLevel
from client.progress import Bar
from client.shares import parse_shares, shares_by_question
from client.simulate import check_respondents, generator
from client.survey_file import load_survey
from client.terminal import json_option, print_json, print_table
from client.words import SecureWords
from estimators.simulation import OptionStudy, check_repeats, study_question


class Task(NamedTuple):
    """One question to try, with the population that answers it."""

    question: str
    labels: tuple[str, ...]
    epsilon: Decimal
    mechanism: TwoLevel
    shares: tuple[float, ...]


@click.command()
@click.argument("survey", required=False, type=click.Path(path_type=Path))
@click.option("--kind", type=click.Choice(["yes-no"]), help="Try one question instead of a survey.")
@click.option("--epsilon", help="With --kind: the epsilon of the question.")
@click.option("--respondents", type=int, required=True, help="Respondents in each repeat.")
@click.option(
    "--shares",
    multiple=True,
    help="The truth, 0.7,0.3 for 70 % No and 30 % Yes; q1=0.7,0.3 for one question of a survey.",
)
@click.option("--repeats", type=int, default=100, show_default=True)
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.option("--seed", type=int, help="The same seed gives the same result.")
@json_option
def simulate(
    survey: Path | None,
    kind: str | None,
    epsilon: str | None,
    respondents: int,
    shares: tuple[str, ...],
    repeats: int,
    confidence: float,
    seed: int | None,
    as_json: bool,
) -> None:
    """Ask synthetic respondents, and compare the estimates with the truth.

    \b
    Examples:
      candor simulate --kind yes-no --epsilon 1 --respondents 1000000 --shares 0.7,0.3 --seed 1
      candor simulate survey.yaml --respondents 2000 --shares q1=0.9,0.1 --repeats 200
    """
    check_respondents(respondents)
    check_repeats(repeats)
    tasks = _tasks(survey, kind, epsilon, shares)
    seed = SecureWords().word() if seed is None else seed
    started = time.perf_counter()
    questions = _study(tasks, respondents, repeats, generator(seed), confidence)
    seconds = time.perf_counter() - started
    answer = {
        "respondents": respondents,
        "repeats": repeats,
        "seed": seed,
        "confidence": confidence,
        "questions": questions,
        "seconds": round(seconds, 3),
        "respondents_per_second": round(respondents * repeats * len(tasks) / seconds),
    }
    if as_json:
        print_json(answer)
    else:
        _print_table(answer)


def _study(
    tasks: list[Task], respondents: int, repeats: int, source: Generator, confidence: float
) -> list[dict[str, Any]]:
    with Bar("Simulating", respondents * repeats * len(tasks)) as bar:
        return [
            _as_json(
                task,
                study_question(
                    task.mechanism,
                    task.shares,
                    respondents,
                    repeats,
                    source,
                    confidence=confidence,
                    on_batch=bar.advance,
                ),
            )
            for task in tasks
        ]


def _tasks(
    path: Path | None, kind: str | None, epsilon: str | None, shares: tuple[str, ...]
) -> list[Task]:
    if path is not None and kind is None and epsilon is None:
        survey = load_survey(path)
        population = shares_by_question(survey, shares)
        return [
            Task(q.id, q.options, q.epsilon, q.mechanism, population[q.id])
            for q in survey.questions
        ]
    if path is None and kind is not None and epsilon is not None and len(shares) <= 1:
        chosen = parse_epsilon(epsilon)
        truth = parse_shares(shares[0] if shares else "0.5,0.5", len(YES_NO_OPTIONS))
        mechanism = RandomizedResponse.for_epsilon(chosen)
        return [Task(kind, YES_NO_OPTIONS, chosen, mechanism, truth)]
    raise click.UsageError("give either a SURVEY, or --kind with --epsilon and one --shares")


def _as_json(task: Task, studies: tuple[OptionStudy, ...]) -> dict[str, Any]:
    return {
        "question": task.question,
        "epsilon": decimal_text(task.epsilon),
        "options": [
            {
                "option": option,
                "label": label,
                "truth": study.share,
                "mean_estimate": study.mean_estimate,
                "bias": study.bias,
                "bias_error": study.bias_error,
                "rmse": study.rmse,
                "promised_error": study.promised_error,
                "noise_rmse": study.noise_rmse,
                "promised_noise_error": study.promised_noise_error,
                "coverage": study.coverage,
                "coverage_error": study.coverage_error,
            }
            for option, (label, study) in enumerate(zip(task.labels, studies, strict=True))
        ],
    }


def _print_table(answer: dict[str, Any]) -> None:
    print_table(
        ["question", "option", "truth", "mean", "bias", "error", "promised", "coverage"],
        [
            (
                question["question"],
                row["label"],
                f"{row['truth']:.2%}",
                f"{row['mean_estimate']:.2%}",
                f"{row['bias']:+.3%}",
                f"{row['rmse']:.3%}",
                f"{row['promised_error']:.3%}",
                f"{row['coverage']:.1%} ± {row['coverage_error']:.1%}",
            )
            for question in answer["questions"]
            for row in question["options"]
        ],
        words=2,
    )
    click.echo("Error: root mean square over the samples; promised: by the formulas.")
    click.echo(
        f"{answer['repeats']:,} samples of {answer['respondents']:,} respondents, seed "
        f"{answer['seed']}: {answer['seconds']:.2f} s, "
        f"{answer['respondents_per_second']:,} respondents per second."
    )
