"""`simulate`: try a survey on synthetic populations before anybody is asked."""

import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import click

from client.authoring.draft.from_survey import at_total_epsilon
from client.authoring.files import load_survey
from client.console.counts import COUNT, COUNTS
from client.console.progress import Bar
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.words import SecureWords
from client.core.survey import Survey
from estimators.commands.options import confidence_option
from estimators.commands.simulate_options import (
    Delivery,
    TruthOptions,
    delivery_options,
    flag,
    number_of_respondents,
    question_options,
    question_survey,
    truths_options,
)
from estimators.commands.simulate_tables import Output, output_options
from estimators.commands.workers_options import WorkersOptions, workers_options
from estimators.shares.intervals import check_confidence
from estimators.simulation.engines import ENGINES
from estimators.simulation.kernels.source import stream
from estimators.study.sweep import Cell, grid, sweep
from estimators.workers.threads import Workers

INTERRUPTED = 130

Options = TypeVar("Options", TruthOptions, Delivery, Output, WorkersOptions)


@click.command()
@click.argument("survey", required=False, type=click.Path(path_type=Path))
@question_options
@click.option("--epsilons", help="Several total epsilons to try, 0.5,1,2.")
@click.option("--respondents", type=COUNTS, help="In each sample: 1e6, or several, 1e3,1e4,1e5.")
@truths_options
@click.option("--repeats", type=COUNT, default=100, show_default=True, help="Samples to draw.")
@confidence_option
@click.option("--seed", type=int, help="The same seed gives the same result.")
@click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    help="respondents draws every report, aggregate only their counts. By default chosen by size.",
)
@workers_options
@delivery_options
@output_options
def simulate(
    survey: Path | None,
    kind: str | None,
    epsilon: str | None,
    epsilons: str | None,
    respondents: tuple[int, ...] | None,
    repeats: int,
    confidence: float,
    seed: int | None,
    engine: str | None,
    **more: Any,
) -> None:
    """Ask synthetic respondents, and compare the estimates with the truth.

    \b
    Examples:
      candor simulate --kind yes-no --epsilon 1 --respondents 1e6 --shares 0.7,0.3 --seed 1
      candor simulate --kind one-of --options 16 --epsilon 1 --zipf 1.1 --respondents 1e9
      candor simulate survey.yaml --respondents 2000 --shares q1=0.9,0.1 --dependence 0.5
      candor simulate survey.yaml --people answers.csv --repeats 200
      candor simulate survey.yaml --epsilons 0.5,1,2 --respondents 1e3,1e4,1e5 --plot errors.svg
    """
    check_confidence(confidence)
    truths = _take_options(TruthOptions, more)
    delivery, output = _take_options(Delivery, more), _take_options(Output, more)
    labour = _take_options(WorkersOptions, more)
    seed = SecureWords().word() if seed is None else seed
    populations = [
        truths.of(item, everybody_once=respondents is None)
        for item in _surveys(survey, kind, epsilon, epsilons, more)
    ]
    sizes = respondents or (number_of_respondents(populations[0], None),)
    cells = grid(populations, sizes, repeats, seed, engine)
    if delivery.is_wanted:
        if labour.cluster is not None:
            raise click.UsageError("--cluster draws samples; --out and --send do not need it")
        _deliver(cells, delivery, output)
    else:
        with labour.workers() as workers:
            _simulate(cells, confidence, workers, output)


def _take_options(options: type[Options], given: dict[str, Any]) -> Options:
    """Take the options of one kind out of everything that was given."""
    return options(**{field.name: given.pop(field.name) for field in fields(options)})


def _surveys(
    path: Path | None,
    kind: str | None,
    epsilon: str | None,
    epsilons: str | None,
    shape: dict[str, Any],
) -> list[Survey]:
    """Return the survey, or the one question, at every epsilon that was asked for."""
    if (path is None) == (kind is None):
        raise click.UsageError("give either a SURVEY, or --kind with --epsilon or --epsilons")
    several = epsilons.split(",") if epsilons is not None else []
    if kind is not None:
        if (epsilon is None) == (epsilons is None):
            raise click.UsageError("--kind needs either --epsilon or --epsilons")
        return [question_survey(kind, item, **shape) for item in several or [str(epsilon)]]
    assert path is not None
    for name, value in {"epsilon": epsilon, **shape}.items():
        if value is not None:
            instead = "; --epsilons tries a SURVEY at other totals" if name == "epsilon" else ""
            raise click.UsageError(f"{flag(name)} is for --kind{instead}")
    survey = load_survey(path)
    totals = [parse_epsilon(text, "epsilons") for text in several]
    return [at_total_epsilon(survey, total) for total in totals] or [survey]


def _deliver(cells: list[Cell], delivery: Delivery, output: Output) -> None:
    """Write or send the reports of one sample, instead of estimating from many samples."""
    if len(cells) > 1:
        raise click.UsageError("--out and --send are for one epsilon and one --respondents")
    if output.is_wanted:
        raise click.UsageError("--out and --send draw reports; candor estimate has the figures")
    plan = cells[0].plan
    count = number_of_respondents(plan.truths, plan.respondents)
    delivery.deliver(plan.truths, count, stream(plan.seed))


def _simulate(cells: list[Cell], confidence: float, workers: Workers, output: Output) -> None:
    """Simulate every cell of the grid and print or draw the comparison with the truth."""
    is_sweep = len(cells) > 1
    output.check(is_sweep)
    total = sum(cell.plan.respondents * cell.plan.repeats for cell in cells)
    with Bar("Simulating", total, "respondents") as bar:
        every = list(sweep(cells, confidence, workers, bar.advance))
    done = [item for item in every if item.repeats]
    plan = cells[0].plan
    if done:
        head = {"seed": plan.seed, "confidence": confidence, "repeats": plan.repeats}
        output.show(head, done, is_sweep)
    if sum(item.repeats for item in done) < plan.repeats * len(cells):
        what = "these are the samples that were finished" if done else "no sample was finished"
        click.echo(f"Stopped early: {what}.", err=True)
        sys.exit(INTERRUPTED)
