"""Closing and archiving. Every function here runs inside the writer's transaction."""

from collections.abc import Iterable

from sqlite_utils import Database

from server.store import database, reading, snapshots
from server.store.audit_log import record
from server.store.checksums import digest_of
from server.store.groups import merge_small_groups
from server.surveys.audit import CLOCK, AuditContext
from server.surveys.records import Closing, Published
from server.surveys.states import Change


def close(db: Database, slug: str, deed: AuditContext) -> Closing:
    """Close the newest version; closing again repeats the same answer."""
    last = reading.newest(db, slug, deed.now)
    last.require_allowed(Change.CLOSE)
    return close_version(db, last, deed)


def begin_closing(db: Database, slug: str, until: str, deed: AuditContext) -> Published:
    """From now on no tickets are given; those that are out may be used for a while."""
    last = reading.newest(db, slug, deed.now)
    last.require_allowed(Change.BEGIN_CLOSING)
    ends = min(until, last.schedule.ends or until)
    db.execute("UPDATE surveys SET closing = 1, ends = ? WHERE id = ?", [ends, last.key])
    record(db, deed, "begin_closing", slug, version=last.survey.version, ends=ends)
    return reading.newest(db, slug, deed.now)


def close_due(db: Database, now: str) -> None:
    """Close for good what the clock has ended."""
    for published in reading.due(db, now):
        close_version(db, published, AuditContext(now, CLOCK))


def archive(db: Database, slug: str, deed: AuditContext) -> Published:
    """Put a closed survey away; its results stay readable."""
    last = reading.newest(db, slug, deed.now)
    last.require_allowed(Change.ARCHIVE)
    # The clock may have ended it a moment ago.
    close_version(db, last, AuditContext(deed.now, CLOCK))
    db.execute("UPDATE surveys SET archived = 1 WHERE id = ?", [last.key])
    record(db, deed, "archive", slug, version=last.survey.version)
    return reading.newest(db, slug, deed.now)


def close_version(db: Database, published: Published, deed: AuditContext) -> Closing:
    """Set closed, count and digest; from here on no report enters."""
    survey = published.survey
    digest = published.digest or _close_for_good(db, published, deed)
    return Closing(survey.slug, survey.version, published.reports, digest)


def _close_for_good(db: Database, published: Published, deed: AuditContext) -> str:
    """The digest, over reports that are in no small group any more."""
    survey = published.survey
    # The public's snapshot has a stricter rule of its own, and remembers what it has shown.
    snapshots.take_at_closing(db, published)
    merged = merge_small_groups(db, published)
    digest = digest_of(_checksums(db, published.key))
    db.execute(
        "UPDATE surveys SET state = 'closed', digest = ? WHERE id = ?", [digest, published.key]
    )
    database.owe_rewriting(db)
    # Closed by its last report: the moment would be that respondent's.
    on_record = deed.on_its_day() if published.schedule.is_full(published.reports) else deed
    figures = {"version": survey.version, "reports": published.reports, "digest": digest}
    joined = {"merged_groups": merged} if merged else {}
    record(db, on_record, "close", survey.slug, **figures, **joined)
    return digest


def _checksums(db: Database, key: int) -> Iterable[bytes]:
    rows = db.execute("SELECT checksum FROM reports WHERE survey = ? ORDER BY id", [key])
    return (checksum for (checksum,) in rows)
