"""Deletion dates and the trash. Every function here runs inside the writer's transaction.

On its deletion date a survey loses everything that is about one respondent: reports and tickets.
The document, n, the digest and the totals stay, and totals only of a crowd. What was in the trash
for long enough is gone altogether.
"""

from dataclasses import dataclass

from sqlite_utils import Database

from server.store import reading, rewriting
from server.store.audit_log import CLOCK, REMOVE, Deed
from server.store.closing import close_version
from server.store.disclosure.remaining_totals import keep_only_crowds
from server.store.publishing import wipe
from server.store.records import Published
from server.store.schedule import days_later
from server.store.states import Change

TRASH_DAYS = 30


@dataclass(frozen=True)
class Due:
    """Versions of surveys that have to go: their reports, or all of them."""

    purge: tuple[Published, ...]
    remove: tuple[Published, ...]

    def __bool__(self) -> bool:
        return bool(self.purge or self.remove)


def due(db: Database, now: str) -> Due:
    """What the promised days and the trash ask for by now."""
    gone = reading.trashed_until(db, days_later(now, -TRASH_DAYS), now)
    keys = {published.key for published in gone}
    purge = [published for published in reading.to_purge(db, now) if published.key not in keys]
    return Due(tuple(purge), tuple(gone))


def carry_out(db: Database, deed: Deed) -> Due:
    """Do what is due. The bytes are gone once the file is rewritten."""
    found = due(db, deed.now)
    for published in found.purge:
        _purge(db, published, deed)
    for slug in sorted({published.survey.slug for published in found.remove}):
        wipe(db, slug)
        deed.record(db, REMOVE, slug)
    return found


def trash(db: Database, slug: str, deed: Deed) -> Published:
    """Put all versions of a closed survey out of sight; nothing of it is lost yet."""
    last = reading.newest(db, slug, deed.now)
    last.require_allowed(Change.TRASH)
    # The clock may have ended it a moment ago.
    close_version(db, last, Deed(deed.now, CLOCK))
    db.execute("UPDATE surveys SET trashed = ? WHERE slug = ?", [deed.now, slug])
    deed.record(db, "trash", slug, removed=removal_day(deed.now))
    return reading.newest(db, slug, deed.now)


def restore(db: Database, slug: str, deed: Deed) -> Published:
    """Take a survey out of the trash, just as it was."""
    reading.newest(db, slug, deed.now).require_allowed(Change.RESTORE)
    db.execute("UPDATE surveys SET trashed = NULL WHERE slug = ?", [slug])
    deed.record(db, "restore", slug)
    return reading.newest(db, slug, deed.now)


def removal_day(trashed: str) -> str:
    """The day on which something is removed that was put into the trash at this moment."""
    return days_later(trashed, TRASH_DAYS)[:10]


def _purge(db: Database, published: Published, deed: Deed) -> None:
    survey, key = published.survey, published.key
    if survey.test:
        wipe(db, survey.slug)
        return
    close_version(db, published, Deed(deed.now, CLOCK))
    for table in ("reports", "tickets"):
        db.execute(f"DELETE FROM {table} WHERE survey = ?", [key])
    keep_only_crowds(db, published)
    db.execute("UPDATE surveys SET purged = 1 WHERE id = ?", [key])
    rewriting.owe(db)
    deed.record(db, "purge", survey.slug, version=survey.version, reports=published.reports)
