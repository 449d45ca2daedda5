"""Verification: recount everything from the reports and name what differs. It only reads.

SQLite's own check misses most flipped bits, so every row carries a checksum; tallies, counts,
links and the digest are compared with what the rows say.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from client.core.document import read_document
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.survey import MAX_REPORT_BYTES, Survey
from server.store import audit_log
from server.store.checksums import checksum, digest_of
from server.store.database import (
    UNREADABLE,
    Connection,
    open_current_reader,
    open_reader,
    place_of,
)
from server.store.engines.connection import Place
from server.store.snapshots import snapshot_faults
from server.store.ticket_faults import ticket_faults
from server.surveys.groups import label_of
from server.surveys.records import unknown_survey
from server.surveys.strays import HELD

Advance = Callable[[], None]
Row = tuple[str, str, bytes, str]
# The group, the question and the cell.
Cell = tuple[str, str, int]
_SURVEY = ("id", "slug", "version", "fingerprint", "state", "reports", "digest", "purged")


@dataclass
class Verification:
    """What was looked at, and every difference, each naming its row."""

    surveys: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        return not self.problems

    def compare(self, what: str, stored: object, counted: object) -> None:
        if stored != counted:
            self.problems.append(f"{what}: stored {stored}, counted {counted}")


def verify(
    place: Path | Place,
    slug: str | None = None,
    advance: Advance = lambda: None,
    log_key: bytes = b"",
    anchor: str = "",
) -> Verification:
    """Check one survey, or all; `advance` is called once per report.

    With its key the audit log is checked too, and with an anchor, what came before that.
    """
    found = Verification(problems=place_of(place).log_faults())
    try:
        db = open_current_reader(place)
        try:
            # One moment: reports that arrive meanwhile are not half seen.
            with db.atomic():
                found.problems += db.faults()
                if log_key:
                    faults = audit_log.faults(db, log_key, anchor)
                    found.problems += (f"audit log: {fault}" for fault in faults)
                for row in _surveys(db, slug):
                    _check_survey(db, row, found, advance)
        finally:
            db.close()
    except UNREADABLE as error:
        found.problems.append(f"the file cannot be read: {error}")
    return found


def count_reports(place: Path | Place) -> int:
    """Count the reports that the surveys claim to have, for a progress bar."""
    db = open_reader(place)
    try:
        return int(db.execute("SELECT coalesce(sum(reports), 0) FROM surveys").fetchone()[0])
    except UNREADABLE:
        return 0
    finally:
        db.close()


def _surveys(db: Connection, slug: str | None) -> list[dict[str, Any]]:
    rows = db.execute(f"SELECT {', '.join(_SURVEY)} FROM surveys ORDER BY slug, version")
    found = [dict(zip(_SURVEY, row, strict=True)) for row in rows]
    chosen = [row for row in found if slug in (None, row["slug"])]
    if slug is not None and not chosen:
        raise unknown_survey(slug)
    return chosen


def _check_survey(
    db: Connection, row: dict[str, Any], found: Verification, advance: Advance
) -> None:
    name = f"{row['slug']} version {row['version']}"
    found.surveys.append({key: row[key] for key in ("slug", "version", "state", "reports")})
    survey = _check_document(db, row, name, found)
    if survey is None:
        return
    if row["purged"]:
        _check_purged(db, row["id"], name, found)
        return
    groups = {group: (issued, n) for group, issued, n in _groups(db, row["id"])}
    recount = _Recount(survey, name, found, groups)
    digest = digest_of(recount.go_through(_reports(db, row["id"]), advance))
    found.compare(f"{name}: reports", row["reports"], recount.groups.total())
    for group, (_, n) in groups.items():
        found.compare(f"{name}: reports{_of(survey, group)}", n, recount.groups[group])
    if row["state"] == "open":
        declared = ["", *(survey.groups.codes if survey.groups else ())]
        found.compare(f"{name}: groups", sorted(groups), declared)
    is_closed = row["state"] == "closed"
    faults = ticket_faults(db, row["id"], survey, is_closed)
    found.problems += (f"{name}: {fault}" for fault in faults)
    _check_tallies(db, row["id"], survey, name, found, recount.cells)
    counted = recount.groups.total() - recount.groups[HELD]
    if row["state"] == "closed":
        found.compare(f"{name}: digest", row["digest"], digest)
    found.problems += (
        f"{name}: {fault}" for fault in snapshot_faults(db, row, recount.totals, counted)
    )


def _check_tallies(
    db: Connection,
    key: int,
    survey: Survey,
    name: str,
    found: Verification,
    counted: Mapping[Cell, int],
) -> None:
    rows = db.execute("SELECT in_group, question, cell, count FROM tallies WHERE survey = ?", [key])
    stored: dict[Cell, int] = {(group, id, cell): count for group, id, cell, count in rows}
    for place in sorted(stored.keys() | counted.keys()):
        group, question, cell = place
        what = f"{name}: tally of {question}, cell {cell}{_of(survey, group)}"
        found.compare(what, stored.get(place), counted.get(place))


def _of(survey: Survey, group: str) -> str:
    is_declared = survey.groups is not None and group in survey.groups.codes
    label = label_of(survey.groups, group) if is_declared else group
    return f" in group {label}" if label else ""


def _check_purged(db: Connection, key: int, name: str, found: Verification) -> None:
    """Check that nothing about respondents is left after the deletion."""
    for table in ("reports", "spent", "invitations"):
        left = db.execute(f"SELECT count(*) FROM {table} WHERE survey = ?", [key]).fetchone()[0]
        found.compare(f"{name}: {table} after the deletion", 0, left)


class _Recount:
    """Recounts the reports of one survey."""

    def __init__(
        self, survey: Survey, name: str, found: Verification, groups: Iterable[str]
    ) -> None:
        self._survey, self._name, self._found = survey, name, found
        self.groups: Counter[str] = Counter()
        self.cells: Counter[Cell] = Counter()
        for group, question in product(set(groups) - {HELD}, survey.questions):
            cells = range(question.mechanism.cells)
            self.cells.update({(group, question.id, cell): 0 for cell in cells})

    @property
    def totals(self) -> Counter[tuple[str, int]]:
        """Sum the cells over all groups."""
        counted: Counter[tuple[str, int]] = Counter()
        for (_, question, cell), count in self.cells.items():
            counted[question, cell] += count
        return counted

    def go_through(self, rows: Iterable[Row], advance: Advance) -> Iterator[bytes]:
        """Count every row and yield the checksum it should have."""
        for id, randomized, stored, group in rows:
            self.groups[group] += 1
            right = checksum(self._survey.fingerprint, id, randomized, group)
            if right == stored:
                self._count(id, randomized, group)
            else:
                self._blame(id, "its checksum does not match")
            advance()
            yield right

    def _count(self, id: str, randomized: str, group: str) -> None:
        try:
            report = self._parse(randomized)
        except Refusal as refusal:
            self._blame(id, refusal.message)
            return
        if group != HELD:
            self.cells.update((group, *cell) for cell in report.cells(self._survey))

    def _blame(self, id: str, fault: str) -> None:
        self._found.problems.append(f"{self._name}: report {id}: {fault}")

    def _parse(self, randomized: str) -> Report:
        values = canonical.parse(randomized.encode(), MAX_REPORT_BYTES, "report")
        # The group is a column of its own: closing may have changed it since the report came.
        some = self._survey.chosen_groups.codes[0] if self._survey.chosen_groups else ""
        return Report.parse(Report(self._survey.fingerprint, values, some).body, self._survey)


def _check_document(
    db: Connection, row: dict[str, Any], name: str, found: Verification
) -> Survey | None:
    stored = db.execute("SELECT document FROM documents WHERE survey = ?", [row["id"]]).fetchone()
    if stored is None:
        found.problems.append(f"{name}: its document is missing")
        return None
    document: bytes = stored[0]
    found.compare(f"{name}: fingerprint", row["fingerprint"], hashlib.sha256(document).hexdigest())
    try:
        survey = read_document(document)
    except Refusal as refusal:
        found.problems.append(f"{name}: document: {refusal.message}")
        return None
    found.compare(f"{name}: document's slug", row["slug"], survey.slug)
    found.compare(f"{name}: document's version", row["version"], survey.version)
    return survey


def _reports(db: Connection, key: int) -> Iterator[Row]:
    # As bytes, because a flipped bit may have broken the text; a replacement fails its checksum.
    rows = db.execute(
        "SELECT CAST(id AS BLOB), CAST(randomized AS BLOB), checksum, CAST(in_group AS BLOB) "
        "FROM reports WHERE survey = ? ORDER BY id",
        [key],
    )
    for id, randomized, stored, group in rows:
        yield _text(id), _text(randomized), stored, _text(group)


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _groups(db: Connection, key: int) -> list[tuple[str, int, int]]:
    query = "SELECT name, issued, reports FROM groups WHERE survey = ?"
    return db.execute(query, [key]).fetchall()
