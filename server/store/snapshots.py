"""Snapshots of the tallies: all that the public ever sees of a survey.

One is taken in the transaction that stores the report of a milestone, however many reports share
that transaction, and one at closing, if enough have come since. Only the newest is kept, and no
time with it: the time of a milestone would be that of a respondent.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from client import strict
from client.refusal import Refusal
from estimators.tally import Tally
from server.store import reading
from server.store.milestones import MINIMUM, is_milestone
from server.store.records import Published, checksum


@dataclass(frozen=True)
class Snapshot:
    """The tallies of the first n reports."""

    n: int
    tallies: Mapping[str, Tally]


def take_at_milestone(db: Database, published: Published, n: int) -> None:
    """Once the n-th report is counted. The test of a draft shows everything live instead."""
    if is_milestone(n) and not published.survey.test:
        _take(db, published, n)


def take_at_closing(db: Database, published: Published) -> None:
    """The final one."""
    _take(db, published, published.reports)


def newest(db: Database, published: Published) -> Snapshot | None:
    """What the public may see; a damaged one is refused, never shown."""
    query = "SELECT n, content, checksum FROM snapshots WHERE survey = ?"
    row = db.execute(query, [published.key]).fetchone()
    if row is None:
        return None
    n, content, stored = row
    if stored != snapshot_checksum(published.survey.fingerprint, n, content):
        raise Refusal(
            "storage_damaged", "the stored snapshot does not fit its checksum; see candor verify"
        )
    return Snapshot(n, reading.tallies_of(published.survey, json.loads(content)["all"]))


def snapshot_checksum(fingerprint: str, n: int, content: str) -> bytes:
    """As of a report, with n in the place of the report's id."""
    return checksum(fingerprint, f"snapshot {n}", content)


def _take(db: Database, published: Published, n: int) -> None:
    """Unless so few came since the last one that the difference would be nearly those reports."""
    last = db.execute("SELECT n FROM snapshots WHERE survey = ?", [published.key]).fetchone()
    if n - (last[0] if last else 0) < MINIMUM:
        return
    counts = {id: tally.counts for id, tally in reading.tallies(db, published).items()}
    content = strict.canonical({"all": counts}).decode()
    db.execute(
        "INSERT OR REPLACE INTO snapshots (survey, n, content, checksum) VALUES (?, ?, ?, ?)",
        [published.key, n, content, snapshot_checksum(published.survey.fingerprint, n, content)],
    )
