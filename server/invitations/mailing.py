"""Personal links beside the people who get them: a file for mail merges, for letters and mails."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from client.console.files import escape_formula
from client.core.primitives.refusal import require
from server.invitations.people_file import FIELD, People
from server.web.urls import compared_address, links, short_link

LINK, SHORT_LINK, QR = "link", "short_link", "qr"
# Telephone numbers may begin with a plus sign; with digits alone, a spreadsheet runs nothing.
_TELEPHONE = re.compile(r"\+[0-9][0-9 ()/.-]*")


@dataclass(frozen=True)
class Mailing:
    """A list of people with one code each, and where the survey is."""

    url: str
    slug: str
    fingerprint: str
    people: People
    codes: Sequence[str]

    @property
    def links(self) -> list[str]:
        """Links that pin the survey by its fingerprint."""
        pinned = links(self.url, self.slug, self.fingerprint)["answer"]
        return [f"{pinned};{code}" for code in self.codes]

    @cached_property
    def short_links(self) -> list[str]:
        return [short_link(self.url, self.slug, code) for code in self.codes]

    @property
    def address(self) -> str:
        return compared_address(self.url, self.slug)

    def table(self, pictures: Sequence[str] = ()) -> bytes:
        """Return the list with a link and a short link in each row, for spreadsheets.

        It is separated as the list was. `pictures` are names of files with QR codes.
        """
        text = io.StringIO()
        separator = self.people.separator
        writer = csv.writer(text, delimiter=separator, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
        writer.writerows([_safe(cell) for cell in row] for row in self._rows(pictures))
        # With a mark, because spreadsheets take the file for another encoding without it.
        return text.getvalue().encode("utf-8-sig")

    def _rows(self, pictures: Sequence[str]) -> Iterator[tuple[str, ...]]:
        added: list[Sequence[str]] = [self.links, self.short_links]
        added += [pictures] if pictures else []
        yield (*self.people.columns, *(LINK, SHORT_LINK, QR)[: len(added)])
        for row, *own in zip(self.people.rows, *added, strict=True):
            yield (*row, *own)


def check_columns(people: People) -> None:
    """Raise if a column of the list has the name of one that is added."""
    for name in (LINK, SHORT_LINK, QR):
        require(name not in people.columns, "column_taken", FIELD, column=name)


def _safe(cell: str) -> str:
    return cell if _TELEPHONE.fullmatch(cell) else str(escape_formula(cell))
