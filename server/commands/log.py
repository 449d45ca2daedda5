"""`log`: the audit log at the terminal."""

import textwrap
from collections.abc import Iterator
from typing import Any

import click

from client.console.printing import json_option, print_json
from server.commands import operating
from server.commands.data_option import data_option
from server.data_folder import DataFolder
from server.surveys.audit import log_line, moment_text

WIDTH = 100


@click.command("log")
@click.argument("slug", required=False)
@data_option
@json_option
def log_command(slug: str | None, folder: DataFolder, as_json: bool) -> None:
    """Every change that touches privacy or access, the newest first: who, what and when.

    With a SLUG only what is about that survey, also about one that had the slug before and was
    removed.

    \b
    Examples:
      candor log
      candor log workplace-health --json
    """
    found = operating.read_log(folder, slug)
    if as_json:
        print_json(found)
    elif not found["entries"]:
        click.echo("Nothing is on record.")
    else:
        click.echo("\n\n".join("\n".join(_lines(entry)) for entry in found["entries"]))


def _lines(entry: dict[str, Any]) -> Iterator[str]:
    """Who did what to which survey, and below it what else is on record."""
    told = log_line(entry["action"], entry["details"])
    about = f"{entry['slug']}: " if entry["slug"] else ""
    when = moment_text(entry["moment"])
    head = f"{entry['number']}  {when}  {about}{entry['actor']} {told.sentence}"
    yield from textwrap.wrap(head, WIDTH, subsequent_indent="    ")
    width = max((len(title) for title, _ in told.facts), default=0)
    for title, text in told.facts:
        yield from textwrap.wrap(
            f"    {title:<{width}}  {text}", WIDTH, subsequent_indent=" " * (width + 6)
        )
