"""What the public sees of a survey: its tallies at a milestone. No time, no order, no report."""

from typing import Any

from sqlite_utils import Database

from client.core.primitives import canonical
from server.store.disclosure.milestones import MINIMUM
from server.store.records import checksum
from server.store.schema.migrations import migrations

_SNAPSHOTS = """
    CREATE TABLE snapshots (
        survey INTEGER PRIMARY KEY REFERENCES surveys (id),
        n INTEGER NOT NULL CHECK (n > 0),
        content TEXT NOT NULL,
        checksum BLOB NOT NULL
    ) STRICT
    """


@migrations()
def snapshots(db: Database) -> None:
    db.execute(_SNAPSHOTS)
    # Results that could be read until now stay readable, as they are at this moment.
    for survey, fingerprint, n in db.execute(
        "SELECT id, fingerprint, reports FROM surveys WHERE reports >= ?", [MINIMUM]
    ).fetchall():
        content = canonical.canonical({"all": _counts(db, survey)}).decode()
        bound = checksum(fingerprint, f"snapshot {n}", content)
        db.execute("INSERT INTO snapshots VALUES (?, ?, ?, ?)", [survey, n, content, bound])


def _counts(db: Database, survey: int) -> dict[str, list[int]]:
    counts: dict[str, list[int]] = {}
    rows: Any = db.execute(
        "SELECT question, sum(count) FROM tallies WHERE survey = ? "
        "GROUP BY question, cell ORDER BY question, cell",
        [survey],
    )
    for question, count in rows:
        counts.setdefault(question, []).append(count)
    return counts
