"""Storing one report: the report, its ticket and its tallies in one transaction.

The function runs inside the writer's transaction, in a savepoint of its own: a refusal leaves
nothing behind.
"""

from dataclasses import dataclass
from functools import cached_property

from client.core.primitives.refusal import Refusal
from client.core.report import Report
from server.store import reading, snapshots
from server.store.checksums import checksum, report_content
from server.store.database import Connection
from server.surveys.records import Published
from server.surveys.states import refusal_for_respondents
from server.surveys.strays import HELD


@dataclass(frozen=True)
class Ballot:
    """A parsed report ready to be stored, with the hash of its ticket.

    The group is a code: that of the ticket, or the one that the report names.
    """

    published: Published
    id: str
    report: Report
    ticket_hash: bytes
    group: str = ""

    @cached_property
    def content(self) -> str:
        return report_content(self.report)


def is_repeat(db: Connection, published: Published, id: str, report: Report) -> bool:
    """Tell whether this report is already stored; raise if another one has its id."""
    stored = reading.stored_report(db, published, id)
    if stored is None:
        return False
    content, group = stored
    # Closing may have moved the report to another group.
    is_same_group = not report.group or group in (report.group, "", HELD)
    if content != report_content(report) or not is_same_group:
        raise Refusal("report_differs", "id")
    return True


def put(db: Connection, ballot: Ballot) -> bool:
    """Store a report; True if it is new, False if it is a repeat."""
    # Before the ticket and the state: a device that missed our answer must hear it again.
    if is_repeat(db, ballot.published, ballot.id, ballot.report):
        return False
    _insert_if_open(db, ballot)
    _spend(db, ballot)
    n = _fold(db, ballot)
    snapshots.take_at_milestone(db, ballot.published, n)
    return True


def _insert_if_open(db: Connection, ballot: Ballot) -> None:
    """Check and insert in one statement, so that no report enters after the closing.

    The survey may be open or closing: tickets stay valid until it ends.
    """
    survey, now = ballot.published.survey, db.now
    inserted = db.execute(
        "INSERT INTO reports (survey, id, randomized, checksum, in_group) "
        "SELECT id, ?, ?, ?, ? FROM surveys WHERE id = ? AND state = 'open' AND fingerprint = ? "
        "AND (opens IS NULL OR opens <= ?) AND (ends IS NULL OR ? < ends) "
        "AND (closes_at IS NULL OR reports < closes_at)",
        [
            ballot.id,
            ballot.content,
            checksum(survey.fingerprint, ballot.id, ballot.content, ballot.group),
            ballot.group,
            ballot.published.key,
            survey.fingerprint,
            now,
            now,
        ],
    ).rowcount
    if inserted != 1:
        raise _too_late(db, ballot)


def _too_late(db: Connection, ballot: Ballot) -> Refusal:
    """Say why a report is not taken: the survey is gone, replaced, or not open."""
    try:
        newest = reading.newest(db, ballot.published.survey.slug)
    except Refusal as unknown:
        return unknown
    if newest.key != ballot.published.key:
        return Refusal("document_changed.report", "fingerprint")
    return refusal_for_respondents(newest.state)


def _spend(db: Connection, ballot: Ballot) -> None:
    """Mark the ticket as used: insert its hash, or update the row of one issued ahead."""
    place = [ballot.published.key, ballot.ticket_hash]
    if ballot.published.survey.by_invitation:
        # No row comes or moves, so the file does not show when a link was used.
        spend = "UPDATE tickets SET used = 1 WHERE survey = ? AND hash = ? AND used = 0"
    else:
        spend = "INSERT INTO tickets (survey, hash, used) VALUES (?, ?, 1) ON CONFLICT DO NOTHING"
    if db.execute(spend, place).rowcount != 1:
        require_unused(db, ballot.published, ballot.ticket_hash)
        raise unknown_invitation()


def require_unused(db: Connection, published: Published, ticket_hash: bytes) -> None:
    """Raise if the ticket was already used, or was never issued for this invitation-only survey."""
    used = is_used(db, published, ticket_hash)
    if used is None and published.survey.by_invitation:
        raise unknown_invitation()
    if used:
        raise Refusal("ticket_spent", "ticket")


def is_used(db: Connection, published: Published, ticket_hash: bytes) -> bool | None:
    """Tell whether a ticket was used; None if its hash is not stored."""
    row = db.execute(
        "SELECT used FROM tickets WHERE survey = ? AND hash = ?", [published.key, ticket_hash]
    ).fetchone()
    return None if row is None else bool(row[0])


def unknown_invitation() -> Refusal:
    return Refusal("invitation_unknown", "invitation")


def _fold(db: Connection, ballot: Ballot) -> int:
    """Add the report to the tallies; return the number of reports."""
    key, group = ballot.published.key, ballot.group
    db.conn.executemany(
        "UPDATE tallies SET count = count + 1 "
        "WHERE survey = ? AND in_group = ? AND question = ? AND cell = ?",
        [(key, group, *cell) for cell in ballot.report.cells(ballot.published.survey)],
    )
    db.execute(
        "UPDATE groups SET reports = reports + 1 WHERE survey = ? AND name = ?", [key, group]
    )
    counted = "UPDATE surveys SET reports = reports + 1 WHERE id = ? RETURNING reports"
    return int(db.execute(counted, [key]).fetchone()[0])
