"""The command `export`: everything about a survey in one zip."""

from contextlib import closing
from pathlib import Path

import click

from client.console.files import check_new_file, new_file
from client.console.printing import json_option, print_done
from client.console.progress import Bar
from server.commands.data_option import data_option
from server.data_folder import DataFolder
from server.lifecycle.export import copy_ballots, export_ballots, export_name
from server.store.database import open_current_reader


@click.command("export")
@click.argument("slug")
@data_option
@click.option("--version", type=click.IntRange(1), help="Which version; by default the newest.")
@click.option("--out", type=click.Path(path_type=Path), help="A new file; by default SLUG-vN.zip.")
@click.option("--draft", is_flag=True, help="Export the TEST of a draft, to try out the analysis.")
@json_option
def export_command(
    slug: str, folder: DataFolder, version: int | None, out: Path | None, draft: bool, as_json: bool
) -> None:
    """Write estimates, randomized reports, design and analysis scripts into one new zip.

    Its README.txt says what it contains, how to check the promise and how to cite it. The command
    only reads, and may run while the server runs. The same reports give the same bytes. A survey by
    invitation can be exported once it is closed; groups are told apart once it is closed.

    \b
    Examples:
      candor export workplace-health
      candor export workplace-health --version 1 --out monday.zip
      candor export workplace-health --draft
    """
    if out is not None:
        check_new_file(out)
    scratch = Path() if out is None else out.parent
    with (
        closing(open_current_reader(folder.require_database(test=draft))) as db,
        copy_ballots(db, slug, version, scratch) as ballots,
    ):
        published = ballots.published
        path = out or Path(export_name(ballots))
        check_new_file(path)
        with new_file(path) as file, Bar("Exporting", ballots.n, "reports") as bar:
            export_ballots(ballots, file, scratch, bar.advance)
    summary = {
        "slug": slug,
        "version": published.survey.version,
        "reports": ballots.n,
        "fingerprint": published.survey.fingerprint,
        "file": str(path),
    }
    name = f"{'the TEST of ' if draft else ''}{slug}, version {summary['version']}"
    print_done(summary, as_json, f"Exported {name}, {ballots.n:,} reports: {path}")
