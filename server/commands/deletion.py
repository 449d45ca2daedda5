"""The commands about deletion: purge, clock, trash, restore."""

from typing import Any

import click

from client.console.printing import json_option, print_done, print_json
from server.clock.trust import Trust
from server.commands import operating
from server.commands.data_option import data_option
from server.data_folder import DataFolder
from server.surveys.audit import moment_text

_TRUST = {
    Trust.STEADY: "It can be trusted: what is due is closed and deleted.",
    Trust.WATCHED: "It can be trusted once a server has run for an hour.",
    Trust.JUMPED: "It jumped: nothing is closed or deleted by it for an hour.",
    Trust.BEHIND: "It went back: nothing is closed or deleted until you confirm it with --confirm.",
    Trust.AHEAD: "That is long ago: nothing is closed or deleted until you confirm it with "
    "--confirm.",
}


@click.command("purge")
@data_option
@click.option("--dry-run", is_flag=True, help="Only list what is due.")
@json_option
def purge_command(folder: DataFolder, dry_run: bool, as_json: bool) -> None:
    """Carry out deletion dates, and remove what was in the trash for 30 days.

    On its delete_on day (from midnight UTC) all reports and tickets of a survey are deleted, also
    from the bytes of the file. Its questions, the number of reports, the digest and the totals
    stay; totals of fewer than 50 reports are deleted too. A running server does all this by itself.

    Copies made with candor backup are not touched: deleting them is up to you.

    \b
    Examples:
      candor purge --dry-run
      candor purge --json
    """
    summary = operating.purge(folder, dry_run)
    if as_json:
        print_json(summary)
        return
    for item in summary["purged"]:
        _print_item(item, "to delete" if dry_run else "deleted", f"due {item['delete_on']}")
    for item in summary["removed"]:
        _print_item(item, "to remove" if dry_run else "removed", "30 days in the trash")
    if not summary["purged"] and not summary["removed"]:
        click.echo("Nothing is due.")
    if not summary["compacted"]:
        click.echo("The file could not be rewritten yet; run the command again.")


def _print_item(item: dict[str, Any], done: str, reason: str) -> None:
    name = f"{'TEST of ' if item['test'] else ''}{item['slug']} version {item['version']}"
    click.echo(f"{name}: {item['reports']:,} reports {done} ({reason})")


@click.command("clock")
@data_option
@click.option("--confirm", "day", metavar="DAY", help="Confirm the clock: say today's day in UTC.")
@json_option
def clock_command(folder: DataFolder, day: str | None, as_json: bool) -> None:
    """Say whether the server trusts the machine's clock, or confirm that it is right.

    Closing and deleting cannot be undone, so the server does neither by a clock that it cannot
    trust: one that jumped less than an hour ago, is before the last hour on record, or more than 30
    days after it. A jump is forgotten after an hour. In the other cases it asks you, once, for
    instance after a server was switched off for three months. Take the day from somewhere else, not
    from this machine.

    \b
    Examples:
      candor clock
      candor clock --confirm 2026-12-24
    """
    found = operating.clock(folder, day)
    if as_json:
        print_json(found)
        return
    click.echo(f"The clock says {moment_text(found['now'])}.")
    click.echo(f"The last hour on record is {moment_text(found['last_hour'])}.")
    click.echo(_TRUST[Trust(found["trust"])])


@click.command("trash")
@click.argument("slug")
@data_option
@json_option
def trash_command(slug: str, folder: DataFolder, as_json: bool) -> None:
    """Put a closed survey into the trash: nobody can open its pages or its results.

    For 30 days candor restore brings it back just as it was. After that all of it is removed, also
    from the bytes of the file. An open survey has to be closed first, which cannot be undone.

    \b
    Example:
      candor trash workplace-health
    """
    summary = operating.trash(folder, slug)
    print_done(summary, as_json, f"{slug} is in the trash until {summary['removed_on']}")


@click.command("restore")
@click.argument("slug")
@data_option
@json_option
def restore_command(slug: str, folder: DataFolder, as_json: bool) -> None:
    """Take a survey out of the trash, just as it was.

    \b
    Example:
      candor restore workplace-health
    """
    summary = operating.restore(folder, slug)
    print_done(summary, as_json, f"{slug} is back: {summary['state']}")
