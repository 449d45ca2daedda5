"""`simulate` of the client: synthetic reports in wire form, one per line."""

from pathlib import Path

import click

from client.progress import Bar
from client.shares import shares_by_question
from client.simulate.population import Population
from client.simulate.reports import simulate_reports as reports_of
from client.simulate.source import MAX_RESPONDENTS, check_respondents, generator
from client.survey_file import load_survey
from client.words import SecureWords


@click.command("simulate")
@click.argument("survey", type=click.Path(path_type=Path))
@click.option("--respondents", type=int, required=True, help=f"From 1 to {MAX_RESPONDENTS:,}.")
@click.option(
    "--shares",
    multiple=True,
    help="Shares of the options or levels, 0.7,0.3 for every question or q1=0.7,0.3 for one; "
    "of check-boxes, the shares that tick each. Even ones unless told.",
)
@click.option("--seed", type=int, help="The same seed gives the same reports.")
def simulate_reports(
    survey: Path, respondents: int, shares: tuple[str, ...], seed: int | None
) -> None:
    """Write reports of synthetic respondents to SURVEY, one JSON object per line.

    \b
    Example:
      python -m client simulate survey.yaml --respondents 1000 > reports.jsonl
    """
    check_respondents(respondents)
    questionnaire = load_survey(survey)
    population = Population(questionnaire, shares_by_question(questionnaire, shares))
    source = generator(SecureWords().word() if seed is None else seed)
    with Bar("Simulating", respondents) as bar:
        for report in reports_of(population, respondents, source):
            click.echo(report.body)
            bar.advance()
