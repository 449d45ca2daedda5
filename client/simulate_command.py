"""`simulate` of the client: synthetic reports, printed, written to a file or handed in."""

from pathlib import Path
from typing import Any

import click

from client.counts_command import COUNT
from client.delivery_command import Delivery, delivery_options
from client.progress import Bar
from client.simulate.lines import json_lines
from client.simulate.reports import simulate_columns
from client.simulate.source import MAX_RESPONDENTS, Source, stream
from client.simulate.truths import Truths
from client.survey_file import load_survey
from client.truths_command import TruthOptions, number_of_respondents, truths_options
from client.words import SecureWords


@click.command("simulate")
@click.argument("survey", type=click.Path(path_type=Path))
@click.option("--respondents", type=COUNT, help=f"From 1 to {MAX_RESPONDENTS:,}.")
@truths_options
@click.option(
    "--seed", type=int, help="The same seed gives the same reports; with --send, the same answers."
)
@delivery_options
def simulate_reports(
    survey: Path,
    respondents: int | None,
    seed: int | None,
    out: Path | None,
    send: str | None,
    concurrency: int,
    **truth: Any,
) -> None:
    """Draw reports of synthetic respondents to SURVEY, one JSON object per line unless told.

    \b
    Examples:
      python -m client simulate survey.yaml --respondents 1000 > reports.jsonl
      python -m client simulate survey.yaml --respondents 1e6 --out reports.parquet --seed 1
      python -m client simulate survey.yaml --respondents 500 --send http://127.0.0.1:8000/t/demo
    """
    people = TruthOptions(**truth).of(load_survey(survey), everybody_once=respondents is None)
    count = number_of_respondents(people, respondents)
    source = stream(SecureWords().word() if seed is None else seed)
    delivery = Delivery(out, send, concurrency)
    if delivery.is_wanted:
        delivery.deliver(people, count, source)
    else:
        _print_lines(people, count, source)


def _print_lines(truths: Truths, respondents: int, source: Source) -> None:
    with Bar("Simulating", respondents, "respondents") as bar:
        for columns in simulate_columns(truths, respondents, source):
            for block in json_lines(columns):
                click.echo(block, nl=False)
            bar.advance(len(columns))
