"""`tally`: count reports into a file of counts, and add such files up."""

from pathlib import Path

import click

from client.authoring.files import load_survey
from client.console.files import check_new_file
from client.console.progress import Bar
from estimators.tallies.counting import expand, tally_files, total_size
from estimators.tallies.tally_file import tally_bytes, write_tally
from estimators.workers.threads import Threads

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--survey", type=_FILE, help="The survey that files of reports answer.")
@click.option("-o", "--out", type=_FILE, help="A new .json file; else the tally is printed.")
@click.option("--jobs", type=int, help="Threads; all cores by default. Never changes a result.")
def tally(files: tuple[str, ...], survey: Path | None, out: Path | None, jobs: int | None) -> None:
    """Count reports into one small file, and add up such files.

    FILES are reports to the survey (.jsonl, .csv or .parquet), tallies (.json) or both; a pattern
    in quotes stands for all files that match it. A tally holds all that estimates need: how many
    reports are in each cell, per group and question. A file that is counted twice is refused.

    \b
    Examples:
      candor tally 'reports/*.parquet' --survey survey.yaml -o tally.json
      candor tally north.json south.json -o both.json
      candor tally monday.json tuesday.jsonl --survey survey.yaml -o week.json
      candor estimate both.json
    """
    workers, paths = Threads(jobs), expand(files)
    if out is not None:
        check_new_file(out)
    asked = None if survey is None else load_survey(survey)
    with Bar("Counting", total_size(paths), "bytes") as bar:
        found = tally_files(paths, asked, workers, bar.advance)
    if out is None:
        click.echo(tally_bytes(found).decode(), nl=False)
        return
    write_tally(found, out)
    parts = f"{len(found.parts):,} part{'' if len(found.parts) == 1 else 's'}"
    click.echo(f"{found.reports:,} reports in {parts} counted into {out}")
