"""The command `invite`: personal links, open links, QR codes, and how many links were used."""

import os
from pathlib import Path
from typing import Any

import click

from client.console.files import check_new_file, new_file
from client.console.printing import json_option, print_json
from server.commands import operating
from server.commands.data_option import data_option, url_for_others
from server.data_folder import DataFolder
from server.invitations.merge import links_table
from server.invitations.qr import draw_qr
from server.lifecycle.invitations import MOST_AT_ONCE
from server.surveys.disclosure import LEAST_IN_GROUP
from server.web.urls import invitation_links


@click.command("invite")
@click.argument("slug")
@data_option
@click.option(
    "--count", type=click.IntRange(1, MOST_AT_ONCE), help="Make this many personal links."
)
@click.option(
    "--group",
    default="",
    metavar="NAME",
    help="The group of these links, such as a study arm or a school.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the personal links to this CSV file."
)
@click.option("--open-link", is_flag=True, help="Print the link that is the same for everybody.")
@click.option(
    "--qr",
    type=click.Path(path_type=Path),
    help="Draw the open link as a QR code into this SVG file.",
)
@click.option(
    "--status", is_flag=True, help="Say how many links were used, by group, but never which."
)
@json_option
def invite_command(
    slug: str,
    folder: DataFolder,
    count: int | None,
    group: str,
    out: Path | None,
    open_link: bool,
    qr: Path | None,
    status: bool,
    as_json: bool,
) -> None:
    """Make links to a survey.

    A survey with drawn_by: device is by invitation: each personal link is good for one report, and
    nobody can take part without one. Links are shown once, and only hashes of their tickets are
    kept. Once the survey is closed, the database does not reveal which report came with which link.
    All other surveys have an open link, and one for each group if you like. Respondents see the
    name of their group.

    Nobody sees results of a survey by invitation before it is closed. Groups of fewer than 20
    reports are never shown separately, and are merged when the survey is closed.

    \b
    Examples:
      candor invite staff --count 500 --out links.csv
      candor invite staff --count 250 --group north --out north.csv
      candor invite staff --status
      candor invite visitors --qr poster.svg
      candor invite visitors --open-link --group arm-a
    """
    wanted = [bool(count), open_link or bool(qr), status]
    if wanted.count(True) != 1 or (out and not count):
        raise click.UsageError(
            "give exactly one of --count (with --out), --open-link or --qr, --status"
        )
    if status:
        _print_status(operating.invitation_status(folder, slug), as_json)
    elif count:
        _make_personal(folder, slug, count, group, out, as_json)
    else:
        _make_open(folder, slug, group, qr, as_json)


def _make_personal(
    folder: DataFolder, slug: str, count: int, group: str, out: Path | None, as_json: bool
) -> None:
    if out:
        # Before any link is made: links that cannot be written down would be lost.
        check_new_file(out)
    made, url = operating.invite(folder, slug, count, group), url_for_others(folder)
    if out:
        with new_file(out) as file:
            os.chmod(file.fileno(), 0o600)
            file.write(links_table(url, made).encode())
    if as_json:
        print_json({"slug": slug, "group": group, "links": invitation_links(url, made)})
    elif out:
        click.echo(f"Wrote {count:,} personal links to {out}")
    else:
        click.echo(links_table(url, made), nl=False)


def _make_open(folder: DataFolder, slug: str, group: str, qr: Path | None, as_json: bool) -> None:
    if qr:
        check_new_file(qr)
    found = operating.open_to_all(folder, slug, group)
    (link,) = invitation_links(url_for_others(folder), found)
    if qr:
        with new_file(qr) as file:
            draw_qr(link, file)
    if as_json:
        print_json({"slug": slug, "group": group, "link": link})
    else:
        click.echo(link)


def _print_status(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    for item in summary["groups"]:
        name = item["group"] or "(no group)"
        if summary["by_invitation"]:
            click.echo(
                f"{name}: {item['issued']:,} issued, {item['used']:,} used, "
                f"{item['unused']:,} unused"
            )
        elif item["used"] is None:
            click.echo(f"{name}: fewer than {LEAST_IN_GROUP} reports")
        else:
            least = "at least " if summary["rounded"] else ""
            click.echo(f"{name}: {least}{item['used']:,} reports")
    if merged := summary["merged_groups"]:
        were = "1 group was" if merged == 1 else f"{merged} groups were"
        click.echo(f"{were} merged into (no group): too few reports to show separately.")
    if summary["held_back"]:
        click.echo(f"Fewer than {LEAST_IN_GROUP} reports without a group are held back for good.")
