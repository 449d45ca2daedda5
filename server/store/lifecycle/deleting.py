"""Deletion dates, the trash, and the hour on record that says whether the clock can be trusted.

What changes something runs inside the writer's transaction.

On its deletion date a survey loses everything that is about one respondent: reports, and the rows
of links.
The document, n, the digest and the totals stay, and totals only of a crowd. What was in the trash
for long enough is gone altogether.
"""

from dataclasses import dataclass

from server.store import reading
from server.store.audit_log import record
from server.store.database import Connection
from server.store.groups import merge_groups
from server.store.lifecycle.closing import close_version
from server.store.lifecycle.publishing import wipe
from server.surveys.audit import REMOVE
from server.surveys.disclosure import few_asked
from server.surveys.records import Published
from server.surveys.researchers import CLOCK
from server.surveys.schedule import TRASH_DAYS, days_later, removal_day
from server.surveys.states import Change


def last_hour(db: Connection) -> str | None:
    """Return the last hour in which the clock could be trusted; None in a new database."""
    row = db.execute("SELECT hour FROM clock").fetchone()
    return None if row is None else str(row[0])


def keep_hour(db: Connection) -> str:
    """Keep the current hour as the last one in which the clock could be trusted; return it."""
    hour = f"{db.now[:13]}:00:00Z"
    db.execute(
        "INSERT INTO clock (one, hour) VALUES (1, ?) "
        "ON CONFLICT (one) DO UPDATE SET hour = excluded.hour",
        [hour],
    )
    return hour


def confirm_clock(db: Connection, actor: str) -> None:
    """Keep the current hour because somebody vouches for the clock."""
    keep_hour(db)
    record(db, actor, "confirm_clock", "")


@dataclass(frozen=True)
class Due:
    """Versions to delete: only their reports, or all of their rows."""

    purge: tuple[Published, ...]
    remove: tuple[Published, ...]

    def __bool__(self) -> bool:
        return bool(self.purge or self.remove)


def due(db: Connection) -> Due:
    """List what is due for deletion by deletion dates and by the trash."""
    gone = reading.trashed_until(db, days_later(db.now, -TRASH_DAYS))
    keys = {published.key for published in gone}
    purge = [published for published in reading.to_purge(db) if published.key not in keys]
    return Due(tuple(purge), tuple(gone))


def carry_out(db: Connection, actor: str) -> Due:
    """Delete what is due. The bytes are gone once the file is rewritten."""
    found = due(db)
    for published in found.purge:
        _purge(db, published, actor)
    for slug in sorted({published.survey.slug for published in found.remove}):
        wipe(db, slug)
        record(db, actor, REMOVE, slug)
    return found


def trash(db: Connection, slug: str, actor: str) -> Published:
    """Move all versions of a survey to the trash; nothing is lost yet."""
    reading.newest(db, slug).require_allowed(Change.TRASH)
    now = db.now
    db.execute("UPDATE surveys SET trashed = ? WHERE slug = ?", [now, slug])
    record(db, actor, "trash", slug, removed=removal_day(now))
    return reading.newest(db, slug)


def restore(db: Connection, slug: str, actor: str) -> Published:
    """Take a survey out of the trash, unchanged."""
    reading.newest(db, slug).require_allowed(Change.RESTORE)
    db.execute("UPDATE surveys SET trashed = NULL WHERE slug = ?", [slug])
    record(db, actor, "restore", slug)
    return reading.newest(db, slug)


def _purge(db: Connection, published: Published, actor: str) -> None:
    survey, key = published.survey, published.key
    if survey.test:
        wipe(db, survey.slug)
        return
    close_version(db, published, CLOCK)
    for table in ("reports", "spent", "invitations"):
        db.execute(f"DELETE FROM {table} WHERE survey = ?", [key])
    _keep_only_crowds(db, published)
    db.execute("UPDATE surveys SET purged = 1 WHERE id = ?", [key])
    db.owe_rewriting()
    record(db, actor, "purge", survey.slug, version=survey.version, reports=published.reports)


def _keep_only_crowds(db: Connection, published: Published) -> None:
    """Merge groups in which few people were asked a question, and clear what is then still few."""
    survey, by_group = published.survey, reading.counts_by_group(db, published)
    small = [name for name, counts in by_group.items() if name and few_asked(survey, counts)]
    merge_groups(db, published, small)
    for question in few_asked(survey, reading.counts(db, published, [""])):
        db.execute(
            "UPDATE tallies SET count = 0 WHERE survey = ? AND in_group = '' AND question = ?",
            [published.key, question],
        )
