"""Closing and archiving. Every function here runs inside the writer's transaction."""

from collections.abc import Iterable

from server.store import reading, snapshots
from server.store.audit_log import record
from server.store.checksums import digest_of
from server.store.database import Connection, owe_rewriting
from server.store.groups import merge_small_groups
from server.surveys.records import Closing, Published
from server.surveys.researchers import CLOCK
from server.surveys.states import Change


def close(db: Connection, slug: str, actor: str) -> Closing:
    """Close the newest version; closing it again returns the same figures."""
    last = reading.newest(db, slug)
    last.require_allowed(Change.CLOSE)
    return close_version(db, last, actor)


def begin_closing(db: Connection, slug: str, until: str, actor: str) -> Published:
    """Issue no more tickets; those already issued stay valid until the given moment."""
    last = reading.newest(db, slug)
    last.require_allowed(Change.BEGIN_CLOSING)
    ends = min(until, last.schedule.ends or until)
    db.execute("UPDATE surveys SET closing = 1, ends = ? WHERE id = ?", [ends, last.key])
    record(db, actor, "begin_closing", slug, version=last.survey.version, ends=ends)
    return reading.newest(db, slug)


def close_due(db: Connection) -> None:
    """Close the surveys whose time is over or that are full."""
    for published in reading.due(db):
        close_version(db, published, CLOCK)


def archive(db: Connection, slug: str, actor: str) -> Published:
    """Archive a closed survey; its results stay readable."""
    last = reading.newest(db, slug)
    last.require_allowed(Change.ARCHIVE)
    # The clock may have ended it a moment ago.
    close_version(db, last, CLOCK)
    db.execute("UPDATE surveys SET archived = 1 WHERE id = ?", [last.key])
    record(db, actor, "archive", slug, version=last.survey.version)
    return reading.newest(db, slug)


def close_version(db: Connection, published: Published, actor: str) -> Closing:
    """Close a version for good, unless that is done; return its count and digest."""
    survey = published.survey
    digest = published.digest or _close_for_good(db, published, actor)
    return Closing(survey.slug, survey.version, published.reports, digest)


def _close_for_good(db: Connection, published: Published, actor: str) -> str:
    """Take the last snapshot, merge small groups, and store state and digest."""
    survey = published.survey
    # The public's snapshot has a stricter rule of its own, and remembers what it has shown.
    snapshots.take_at_closing(db, published)
    merged = merge_small_groups(db, published)
    digest = digest_of(_checksums(db, published.key))
    db.execute(
        "UPDATE surveys SET state = 'closed', digest = ? WHERE id = ?", [digest, published.key]
    )
    owe_rewriting(db)
    # Closed by its last report: the moment would be that respondent's.
    only_day = published.schedule.is_full(published.reports)
    figures = {"version": survey.version, "reports": published.reports, "digest": digest}
    joined = {"merged_groups": merged} if merged else {}
    record(db, actor, "close", survey.slug, only_day=only_day, **figures, **joined)
    return digest


def _checksums(db: Connection, key: int) -> Iterable[bytes]:
    rows = db.execute("SELECT checksum FROM reports WHERE survey = ? ORDER BY id", [key])
    return (checksum for (checksum,) in rows)
