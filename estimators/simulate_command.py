"""`simulate`: a survey tried on synthetic populations before anybody is asked."""

import math
import time
from pathlib import Path
from typing import Any

import click

from client.decimals import decimal_text
from client.progress import Bar
from client.question import Question
from client.shares import shares_by_question
from client.simulate.population import Population
from client.simulate.source import check_respondents, generator
from client.survey import Survey
from client.survey_file import load_survey
from client.terminal import json_option, print_json, print_table
from client.words import SecureWords
from estimators.intervals import normal_quantile
from estimators.simulated_question_command import question_options, question_survey
from estimators.simulation import MEAN, Study, check_repeats, study_survey

# Beyond this many options a table shows the first ones only; --json has them all.
MOST_ROWS = 30


@click.command()
@click.argument("survey", required=False, type=click.Path(path_type=Path))
@question_options
@click.option("--respondents", type=int, required=True, help="Respondents in each repeat.")
@click.option(
    "--shares",
    multiple=True,
    help="The truth, 0.7,0.3 for 70 % No and 30 % Yes; q1=0.7,0.3 for one question of a survey. "
    "Of check-boxes, the share that ticks each; of a scale or number, that of each level.",
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
    **shape: Any,
) -> None:
    """Ask synthetic respondents, and compare the estimates with the truth.

    \b
    Examples:
      candor simulate --kind yes-no --epsilon 1 --respondents 1000000 --shares 0.7,0.3 --seed 1
      candor simulate --kind number --lo 0 --hi 60 --epsilon 1 --respondents 2000
      candor simulate survey.yaml --respondents 2000 --shares q1=0.9,0.1 --repeats 200
    """
    check_respondents(respondents)
    check_repeats(repeats)
    normal_quantile(confidence)  # Refuses what is no confidence before the work is done.
    questionnaire = _survey(survey, kind, epsilon, shape)
    population = Population(questionnaire, shares_by_question(questionnaire, shares))
    seed = SecureWords().word() if seed is None else seed
    source = generator(seed)
    started = time.perf_counter()
    with Bar("Simulating", respondents * repeats) as bar:
        studies = study_survey(population, respondents, repeats, source, confidence, bar.advance)
    seconds = time.perf_counter() - started
    answer = {
        "respondents": respondents,
        "repeats": repeats,
        "seed": seed,
        "confidence": confidence,
        "questions": [
            _as_json(item, kind or item.id, studies[item.id]) for item in questionnaire.questions
        ],
        "seconds": round(seconds, 3),
        "respondents_per_second": round(respondents * repeats / seconds),
    }
    if as_json:
        print_json(answer)
    else:
        _print_tables(answer)


def _survey(
    path: Path | None, kind: str | None, epsilon: str | None, shape: dict[str, Any]
) -> Survey:
    if path is not None and kind is None and epsilon is None and not any(shape.values()):
        return load_survey(path)
    if path is None and kind is not None and epsilon is not None:
        return question_survey(kind, epsilon, **shape)
    raise click.UsageError("give either a SURVEY, or --kind with --epsilon")


def _as_json(question: Question, name: str, studies: tuple[Study, ...]) -> dict[str, Any]:
    """Shares under `options`, or the one mean."""
    rows = [_study_json(study) for study in studies]
    figures: dict[str, Any] = (
        {"mean": rows[0]}
        if studies[0].label == MEAN
        else {
            "options": [
                {"option": option, "label": study.label, **row}
                for option, (study, row) in enumerate(zip(studies, rows, strict=True))
            ]
        }
    )
    return {
        "question": name,
        "kind": question.kind.name,
        "mechanism": question.mechanism.name,
        "shape": question.mechanism.shape,
        "epsilon": decimal_text(question.epsilon),
        **figures,
    }


def _study_json(study: Study) -> dict[str, float | None]:
    figures = {
        "truth": study.truth,
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
    # JSON has no NaN: a box that nobody was asked about has no figures.
    return {key: value if math.isfinite(value) else None for key, value in figures.items()}


def _print_tables(answer: dict[str, Any]) -> None:
    headings = ["truth", "mean", "bias", "error", "promised", "coverage"]
    shares = [
        (question["question"], row["label"], *_cells(row, as_share=True))
        for question in answer["questions"]
        for row in question.get("options", [])[:MOST_ROWS]
    ]
    means = [
        (question["question"], "mean", *_cells(question["mean"], as_share=False))
        for question in answer["questions"]
        if "mean" in question
    ]
    for figure, rows in (("option", shares), ("figure", means)):
        if rows:
            print_table(["question", figure, *headings], rows, words=2)
    for question in answer["questions"]:
        more = len(question.get("options", [])) - MOST_ROWS
        if more > 0:
            click.echo(f"{question['question']}: {more:,} more options, all of them with --json.")
    click.echo("Error: root mean square over the samples; promised: by the formulas.")
    click.echo(
        f"{answer['repeats']:,} samples of {answer['respondents']:,} respondents, seed "
        f"{answer['seed']}: {answer['seconds']:.2f} s, "
        f"{answer['respondents_per_second']:,} respondents per second."
    )


def _cells(row: dict[str, float], as_share: bool) -> tuple[str, ...]:
    """One study as text: shares in per cent, means in their own unit."""
    if row["bias"] is None:
        return (*["–"] * 6,)
    plain, fine = (".2%", ".3%") if as_share else (".4g", ".3g")
    return (
        *(format(row[key], plain) for key in ("truth", "mean_estimate")),
        format(row["bias"], f"+{fine}"),
        *(format(row[key], fine) for key in ("rmse", "promised_error")),
        f"{row['coverage']:.1%} ± {row['coverage_error']:.1%}",
    )
