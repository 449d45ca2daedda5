"""`export`: everything about a survey in one zip."""

from contextlib import closing
from pathlib import Path

import click

from client.new_file import check_new_file, new_file
from client.progress import Bar
from client.terminal import json_option, print_done
from server.commands.data_option import data_option
from server.data import DataFolder
from server.results.export import export_ballots, export_name
from server.store.connection import open_reader
from server.store.exporting import read_ballots
from server.store.schedule import utc_now


@click.command("export")
@click.argument("slug")
@data_option
@click.option("--version", type=click.IntRange(1), help="An earlier version; the newest if absent.")
@click.option("--out", type=click.Path(path_type=Path), help="A new file; SLUG-vN.zip if absent.")
@json_option
def export_command(
    slug: str, folder: DataFolder, version: int | None, out: Path | None, as_json: bool
) -> None:
    """Write estimates, randomized reports, design and analysis scripts into one new zip.

    It only reads, and may run beside the server. The same reports give the same bytes.

    \b
    Examples:
      candor export workplace-health
      candor export workplace-health --version 1 --out monday.zip
    """
    with (
        closing(open_reader(folder.require_database())) as db,
        read_ballots(db, slug, version, utc_now()) as ballots,
    ):
        published = ballots.published
        path = out or Path(export_name(ballots))
        check_new_file(path)
        with new_file(path) as file, Bar("Exporting", published.reports, "reports") as bar:
            export_ballots(ballots, file, bar.advance)
    summary = {
        "slug": slug,
        "version": published.survey.version,
        "reports": published.reports,
        "fingerprint": published.survey.fingerprint,
        "file": str(path),
    }
    count = f"{published.reports:,} reports"
    print_done(summary, as_json, f"Exported {slug}, version {summary['version']}, {count}: {path}")
