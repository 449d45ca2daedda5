"""The plain way to store a report: alone, with a statement for every step.

It is the model that the set-based ballot box is compared with, and shares none of its rules: the
database decides here whether a survey takes reports.
"""

from client.core.primitives.refusal import Refusal
from server.store import reading, snapshots
from server.store.checksums import checksum
from server.store.database import Connection
from server.surveys.ballots.ballot import Ballot
from server.surveys.states import refusal_for_respondents


def put(db: Connection, ballot: Ballot) -> bool:
    """Store a report; True if it is new, False if it is a repeat."""
    place = [ballot.survey.fingerprint, ballot.id]
    query = (
        "SELECT randomized, in_group FROM reports JOIN surveys ON surveys.id = survey "
        "WHERE fingerprint = ? AND reports.id = ?"
    )
    stored = db.execute(query, place).fetchone()
    if stored is not None:
        if stored != (ballot.content, ballot.group):
            raise Refusal("ticket_spent", "ticket")
        return False
    spent = "SELECT 1 FROM spent JOIN surveys ON id = survey WHERE fingerprint = ? AND hash = ?"
    if db.execute(spent, place).fetchone() is not None:
        return False
    key = _insert_if_open(db, ballot)
    n = _fold(db, key, ballot)
    if snapshots.is_taken_at(ballot.survey, n):
        published = reading.newest(db, ballot.survey.slug)
        snapshots.take_at_milestone(db, published, n)
    return True


def _insert_if_open(db: Connection, ballot: Ballot) -> int:
    """Check and insert in one statement; return the survey's key."""
    fingerprint, now = ballot.survey.fingerprint, db.now
    bound = checksum(fingerprint, ballot.id, ballot.content, ballot.group)
    row = db.execute(
        "INSERT INTO reports (survey, id, randomized, checksum, in_group) "
        "SELECT id, ?, ?, ?, ? FROM surveys WHERE state = 'open' AND fingerprint = ? "
        "AND (opens IS NULL OR opens <= ?) AND (answer_from IS NULL OR answer_from <= ?) "
        "AND (ends IS NULL OR ? < ends) "
        "AND (closes_at IS NULL OR reports < closes_at) RETURNING survey",
        [ballot.id, ballot.content, bound, ballot.group, fingerprint, now, now, now],
    ).fetchone()
    if row is None:
        raise _too_late(db, ballot)
    return int(row[0])


def _too_late(db: Connection, ballot: Ballot) -> Refusal:
    newest = reading.latest(db, ballot.survey.slug)
    if newest is None:
        return Refusal("unknown_survey", "slug", slug=ballot.survey.slug)
    if newest.survey.fingerprint != ballot.survey.fingerprint:
        return Refusal("document_changed.report", "fingerprint")
    return refusal_for_respondents(newest.state)


def _fold(db: Connection, key: int, ballot: Ballot) -> int:
    for cell in ballot.report.cells(ballot.survey):
        db.execute(
            "UPDATE tallies SET count = count + 1 "
            "WHERE survey = ? AND in_group = ? AND question = ? AND cell = ?",
            [key, ballot.group, *cell],
        )
    db.execute(
        "UPDATE groups SET reports = reports + 1 WHERE survey = ? AND name = ?", [key, ballot.group]
    )
    db.execute("UPDATE surveys SET reports = reports + 1 WHERE id = ?", [key])
    return int(db.execute("SELECT reports FROM surveys WHERE id = ?", [key]).fetchone()[0])
