"""The parts of `invite` that are for real people: merge files, QR codes, sheets and reminders.

Only this process reads and writes the list of people: a running server hears no more than how many
people are in each group.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import click

from client.console.files import check_new_file, new_file
from client.console.printing import print_json
from client.console.progress import Bar
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from client.wording.comparison import first_digits
from server.commands import operating
from server.commands.data_option import url_for_others
from server.data_folder import DataFolder
from server.invitations.invitees import Invitees
from server.invitations.languages import localized_for
from server.invitations.mailing import Mailing
from server.invitations.people_file import MOST_BYTES, unnamed_people
from server.invitations.qr import draw_many
from server.invitations.reminder import TO_EVERYBODY, notice, reminder_text
from server.invitations.sheet import sheet_page
from server.store import reading
from server.store.database import open_current_reader
from server.surveys.records import Published
from server.web.urls import compared_address


@dataclass(frozen=True)
class Wanted:
    """What becomes of personal links: new files, and the columns and language of a label."""

    out: Path | None = None
    sheet: Path | None = None
    qr_folder: Path | None = None
    label: str | None = None
    language: str | None = None
    as_json: bool = False

    def check(self, survey: Survey) -> None:
        """Raise before any link is made: links that cannot be written down would be lost."""
        localized_for(survey, self.language)
        for path in (self.out, self.sheet, self.qr_folder):
            if path is not None:
                check_new_file(path)


def invite_count(folder: DataFolder, slug: str, count: int, group: str, wanted: Wanted) -> None:
    """Make links for people of whom nothing is known here but their number."""
    published = _published(folder, slug)
    wanted.check(published.survey)
    made = operating.invite(folder, slug, count, group)
    people = unnamed_people(count, made["group"])
    url, codes = url_for_others(folder), made["invitations"]
    mailing = Mailing(url, slug, made["fingerprint"], people, codes)
    _write(mailing, published, ["group"] if made["group"] else [], wanted)


def invite_people(folder: DataFolder, slug: str, path: Path, strata: str, wanted: Wanted) -> None:
    """Make one link for each row of a list, in the group that the row says."""
    published = _published(folder, slug)
    wanted.check(published.survey)
    invitees = Invitees.read(published.survey, _bytes(path), strata, wanted.label)
    made = operating.invite_strata(folder, slug, invitees.counts)
    _write(invitees.mailing(url_for_others(folder), made), published, invitees.labels, wanted)


def remind(folder: DataFolder, slug: str, out: Path | None, language: str | None) -> None:
    """Print or write a reminder for everybody, and say why it is for everybody."""
    if out:
        check_new_file(out)
    published, counts = _published(folder, slug), operating.invitation_status(folder, slug)
    address = compared_address(url_for_others(folder), slug)
    last = published.schedule.last_minute
    text = reminder_text(published.survey, address, counts, last, language)
    if out:
        with new_file(out) as file:
            file.write(text.encode())
    else:
        click.echo(text, nl=False)
    click.echo(TO_EVERYBODY, err=True)


def _write(mailing: Mailing, published: Published, columns: Sequence[str], to: Wanted) -> None:
    """Write the files, the links first; without a file they are printed."""
    pictures = _pictures(len(mailing.codes)) if to.qr_folder else []
    if to.out:
        with _private(to.out) as file:
            file.write(mailing.table(pictures))
    if to.sheet:
        with _private(to.sheet) as file:
            file.write(sheet_page(mailing, published.survey, columns, to.language).encode())
    if to.qr_folder:
        _draw_all(mailing.short_links, pictures, to.qr_folder)
    if to.as_json:
        print_json(_summary(mailing))
    elif to.out is None:
        click.echo(mailing.table(pictures).decode("utf-8-sig"), nl=False)
    else:
        click.echo(f"Wrote {len(mailing.codes):,} personal links to {to.out}")
        click.echo(notice(mailing.address, mailing.fingerprint))


def _summary(mailing: Mailing) -> dict[str, Any]:
    return {
        "slug": mailing.slug,
        "address": mailing.address,
        "compare": first_digits(mailing.fingerprint),
        "links": mailing.links,
        "short_links": mailing.short_links,
    }


def _pictures(count: int) -> list[str]:
    digits = len(str(count))
    return [f"{number:0{digits}}.png" for number in range(1, count + 1)]


def _draw_all(links: list[str], names: list[str], folder: Path) -> None:
    folder.mkdir(mode=0o700)
    with Bar("Drawing", len(links), "codes") as bar:
        for link, name in zip(links, names, strict=True):
            with _private(folder / name) as file:
                draw_many(link, file)
            bar.advance()


@contextmanager
def _private(path: Path) -> Iterator[IO[bytes]]:
    """Write a new file that only its owner can read."""
    with new_file(path) as file:
        os.chmod(file.fileno(), 0o600)
        yield file


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Refusal("unreadable", str(path), reason=error.strerror) from None


def _published(folder: DataFolder, slug: str) -> Published:
    """Read the survey, which is also possible while a server runs."""
    with closing(open_current_reader(folder.require_database())) as db:
        return reading.newest(db, slug)
