"""`tally`: count reports into a file of counts, and add such files up."""

from pathlib import Path
from typing import Any

import click

from client.authoring.files import load_survey
from client.console.files import check_new_file
from client.console.progress import Bar
from client.core.survey import Survey
from estimators.commands.workers_options import WorkersOptions, workers_options
from estimators.tallies.adding import Adding
from estimators.tallies.counting import add_files, expand, total_size
from estimators.tallies.survey_tally import SurveyTally
from estimators.tallies.tally_file import tally_bytes, write_tally
from estimators.warehouse.dialects import DIALECTS
from estimators.warehouse.query import tally_query
from estimators.warehouse.result import read_result
from estimators.workers.threads import Workers

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("files", nargs=-1)
@click.option("--survey", type=_FILE, help="The survey that the reports answer.")
@click.option("-o", "--out", type=_FILE, help="A new .json file; else the tally is printed.")
@workers_options
@click.option(
    "--sql",
    type=click.Choice(list(DIALECTS)),
    help="Count nothing; print the query that counts a table of reports in a warehouse.",
)
@click.option(
    "--table", help="With --sql: the table, as the warehouse names it. [default: reports]"
)
@click.option(
    "--result", type=_FILE, multiple=True, help="A CSV file with what that query returned."
)
def tally(
    files: tuple[str, ...],
    survey: Path | None,
    out: Path | None,
    sql: str | None,
    table: str | None,
    result: tuple[Path, ...],
    **more: Any,
) -> None:
    """Count reports into one small file, and add up such files.

    FILES are reports to the survey (.jsonl, .csv or .parquet), tallies (.json) or both; a pattern
    in quotes stands for all files that match it. A tally holds all that estimates need: how many
    reports are in each cell, per group and question. A file that is counted twice is refused.

    \b
    Examples:
      candor tally 'reports/*.parquet' --survey survey.yaml -o tally.json
      candor tally north.json south.json -o both.json
      candor tally monday.json tuesday.jsonl --survey survey.yaml -o week.json
      candor tally --survey survey.yaml --sql duckdb --table "'reports/*.parquet'" > count.sql
      candor tally --survey survey.yaml --result counts.csv -o tally.json
      candor tally '/shared/*.parquet' --survey survey.yaml --cluster tcp://scheduler:8786
      candor estimate tally.json
    """
    labour = WorkersOptions(**more)
    asked = None if survey is None else load_survey(survey)
    if sql is not None:
        if asked is None or files or result or out:
            raise click.UsageError("--sql takes --survey, and --table; it counts nothing")
        click.echo(f"{tally_query(asked, sql, table or 'reports')};")
        return
    if table is not None or not (files or result):
        raise click.UsageError("give FILES or --result; --table is for --sql")
    if out is not None:
        check_new_file(out)
    paths = expand(files)
    with labour.workers() as workers:
        found = _sum(paths, result, asked, workers)
    if out is None:
        click.echo(tally_bytes(found).decode(), nl=False)
        return
    write_tally(found, out)
    parts = f"{len(found.parts):,} part{'' if len(found.parts) == 1 else 's'}"
    click.echo(f"{found.reports:,} reports in {parts} counted into {out}")


def _sum(
    paths: list[Path], results: tuple[Path, ...], survey: Survey | None, workers: Workers
) -> SurveyTally:
    adding = Adding(survey)
    for path in results:
        if survey is None:
            raise click.UsageError("--result needs --survey")
        adding.add(read_result(path, survey), str(path))
    with Bar("Counting", total_size(paths), "bytes") as bar:
        add_files(adding, paths, workers, bar.advance)
    return adding.result()
