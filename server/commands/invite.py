"""The command `invite`: personal links, open links, QR codes, and how many links were used."""

from pathlib import Path
from typing import Any

import click

from client.console.files import check_new_file, new_file
from client.console.printing import json_option, print_json
from client.core.primitives.refusal import require
from server.commands import operating
from server.commands.data_option import data_option, url_for_others
from server.commands.mailing import Wanted, invite_count, invite_people, remind
from server.data_folder import DataFolder
from server.invitations.qr import FORMATS, draw_qr
from server.lifecycle.invitations import MOST_AT_ONCE
from server.surveys.disclosure import LEAST_IN_GROUP
from server.web.urls import invitation_links, kiosk_link


@click.command("invite")
@click.argument("slug")
@data_option
@click.option(
    "--count", type=click.IntRange(1, MOST_AT_ONCE), help="Make this many personal links."
)
@click.option(
    "--group",
    default="",
    metavar="LEVELS",
    help="The group of these links: a level of each factor, such as 'arm=treatment'.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the personal links to this CSV file."
)
@click.option(
    "--people",
    type=click.Path(path_type=Path),
    help="Make one personal link for each row of this CSV file.",
)
@click.option(
    "--strata",
    default="",
    metavar="COLUMNS",
    help="The columns with the factors of the survey's groups, as in arm,age or arm=Treatment.",
)
@click.option(
    "--sheet",
    type=click.Path(path_type=Path),
    help="Also write labels with short links and QR codes to this HTML file, to print.",
)
@click.option(
    "--label",
    metavar="COLUMNS",
    help="The columns that a label shows, as in name,street; by default the first.",
)
@click.option(
    "--qr-folder",
    type=click.Path(path_type=Path),
    help="Also draw each short link as a QR code into this new folder, as PNG.",
)
@click.option("--open-link", is_flag=True, help="Print the link that is the same for everybody.")
@click.option(
    "--kiosk", is_flag=True, help="Make the open link one for a device that many people share."
)
@click.option(
    "--qr",
    type=click.Path(path_type=Path),
    help="Draw the open link as a QR code into this SVG or PNG file.",
)
@click.option(
    "--status",
    is_flag=True,
    help="Count links and tickets by group, and all reports, but never say whose.",
)
@click.option(
    "--reminder", is_flag=True, help="Print a text that reminds everybody, or write it to --out."
)
@click.option(
    "--language",
    metavar="CODE",
    help="The language of --sheet or --reminder, such as de; by default the survey's own.",
)
@json_option
def invite_command(
    slug: str,
    folder: DataFolder,
    count: int | None,
    group: str,
    out: Path | None,
    people: Path | None,
    strata: str,
    sheet: Path | None,
    label: str | None,
    qr_folder: Path | None,
    open_link: bool,
    kiosk: bool,
    qr: Path | None,
    status: bool,
    reminder: bool,
    language: str | None,
    as_json: bool,
) -> None:
    """Make links to a survey.

    A survey with access: invited is by invitation: each personal link is good for one report, and
    nobody can take part without one. Links are shown once, and only hashes of them are kept. A link
    is exchanged for a ticket that the server signs without seeing it, so no stored row and no
    message joins a link and a report. Somebody who notes the seconds still may, where few people
    answer: see answer_from in the guide to survey files. All other surveys have an open link.

    If the survey's file has groups with by: link, every link is for one group, which respondents
    see; the link without a group takes no reports. With by: choice, respondents choose their group
    themselves, and no link has one.

    Nobody sees results of a survey by invitation before it is closed. Groups of fewer than 20
    reports are never shown separately.

    --people makes one link for each row of a CSV file, and writes the file again with two columns
    more: link, and short_link for letters and SMS. Names and addresses only pass through: they are
    stored nowhere, and a running server does not see them. A survey with groups that links set
    takes them from the columns that --strata names. If a cell or the file is not as it should be,
    no link is made.

    Nobody is told whose link was used, so --reminder is for everybody. If the survey has several
    languages, --language says in which of them to write labels and reminder.

    \b
    Examples:
      candor invite staff --people people.csv --strata arm,age --out merge.csv --sheet labels.html
      candor invite staff --reminder --out reminder.txt
      candor invite staff --reminder --language de
      candor invite staff --count 500 --out links.csv
      candor invite staff --count 250 --group 'site=North' --out north.csv
      candor invite staff --status
      candor invite visitors --qr poster.svg
      candor invite visitors --open-link --group 'arm=treatment, age=Under 30'
      candor invite visitors --open-link --kiosk
    """
    chosen = [bool(count), bool(people), open_link or bool(qr), status, reminder]
    if chosen.count(True) != 1:
        raise click.UsageError(
            "give exactly one of --count, --people, --open-link or --qr, --status, --reminder"
        )
    _require_together(count or people or reminder, "--count, --people or --reminder", out=out)
    _require_together(count or people, "--count or --people", sheet=sheet, qr_folder=qr_folder)
    _require_together(people, "--people", strata=strata, label=label)
    _require_together(open_link or qr, "--open-link or --qr", kiosk=kiosk)
    _require_together(sheet or reminder, "--sheet or --reminder", language=language)
    wanted = Wanted(out, sheet, qr_folder, label, language, as_json)
    if status:
        _print_status(operating.invitation_status(folder, slug), as_json)
    elif reminder:
        remind(folder, slug, out, language)
    elif people:
        invite_people(folder, slug, people, strata, wanted)
    elif count:
        invite_count(folder, slug, count, group, wanted)
    else:
        _make_open(folder, slug, group, kiosk, qr, as_json)


def _require_together(other: object, names: str, **options: object) -> None:
    """Raise if an option is given without the one that it belongs to."""
    for name, value in options.items():
        if value and not other:
            raise click.UsageError(f"--{name.replace('_', '-')} goes with {names}")


def _make_open(
    folder: DataFolder, slug: str, group: str, kiosk: bool, qr: Path | None, as_json: bool
) -> None:
    if qr:
        kind = qr.suffix.lower().removeprefix(".")
        require(kind in FORMATS, "unknown_file_type", str(qr), known=[f".{x}" for x in FORMATS])
        check_new_file(qr)
    found = operating.open_link(folder, slug, group)
    (link,) = invitation_links(url_for_others(folder), found)
    if kiosk:
        link = kiosk_link(link)
    if qr:
        with new_file(qr) as file:
            draw_qr(link, file, kind)
    if as_json:
        print_json({"slug": slug, "group": found["group"], "link": link})
    else:
        click.echo(link)


def _print_status(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    is_grouped = len(summary["groups"]) > 1
    for item in summary["groups"]:
        name = item["group"] or ("(small groups together)" if is_grouped else "(no group)")
        if summary["by_invitation"]:
            counts = f"links made: {item['issued']:,}, tickets given: {item['given']:,}"
            has_groups = is_grouped or item["group"]
            click.echo(f"{name}: {counts}" if has_groups else counts.capitalize())
        elif item["used"] is None:
            click.echo(f"{name}: fewer than {LEAST_IN_GROUP} reports")
        else:
            least = "at least " if summary["rounded"] else ""
            click.echo(f"{name}: {least}{item['used']:,} reports")
    if summary["by_invitation"]:
        click.echo(f"Reports: {summary['reports']:,}")
    if merged := summary["merged_groups"]:
        were = "1 group was" if merged == 1 else f"{merged} groups were"
        click.echo(f"{were} too small to show separately.")
    if summary["held_back"]:
        click.echo("The reports of groups that are too small are held back for good.")
