"""The command `log`: the audit log in the terminal."""

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

    With a SLUG, only the changes of that survey, and of removed surveys that had the slug before.

    \b
    Examples:
      candor log
      candor log workplace-health --json
    """
    found = operating.read_log(folder, slug)
    if as_json:
        print_json(found)
    elif not found["entries"]:
        click.echo("The log is empty.")
    else:
        click.echo("\n\n".join("\n".join(_lines(entry)) for entry in found["entries"]))


def _lines(entry: dict[str, Any]) -> Iterator[str]:
    """Word a log entry: who did what to which survey, then the details."""
    line = log_line(entry["action"], entry["details"])
    about = f"{entry['slug']}: " if entry["slug"] else ""
    when = moment_text(entry["moment"])
    head = f"{entry['number']}  {when}  {about}{entry['actor']} {line.sentence}"
    yield from textwrap.wrap(head, WIDTH, subsequent_indent="    ")
    width = max((len(title) for title, _ in line.facts), default=0)
    for title, text in line.facts:
        yield from textwrap.wrap(
            f"    {title:<{width}}  {text}", WIDTH, subsequent_indent=" " * (width + 6)
        )
