"""Closing and archiving, and which groups are told apart from then on.

Every function here runs inside the writer's transaction.
"""

from collections.abc import Iterable

from server.store import reading, snapshots
from server.store.audit_log import anchor_at_closing, record
from server.store.checksums import digest_of
from server.store.database import Connection
from server.store.groups import hold_back, tell_apart
from server.store.invitations import keep_only_use
from server.store.lifecycle.spent import draw_ids_anew
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.records import Closing, Published
from server.surveys.researchers import CLOCK
from server.surveys.states import Change
from server.surveys.strays import (
    GroupChoice,
    are_too_few,
    require_choice,
    stray_groups,
    strays_at_closing,
)


def close(db: Connection, slug: str, actor: str, groups: GroupChoice | None = None) -> Closing:
    """Close the newest version; closing it again returns the same figures."""
    last = reading.newest(db, slug)
    last.require_allowed(Change.CLOSE)
    _decide(db, last, groups)
    return close_version(db, last, actor)


def begin_closing(
    db: Connection, slug: str, until: str, actor: str, groups: GroupChoice | None = None
) -> Published:
    """Issue no more tickets; those already issued stay valid until the given moment."""
    last = reading.newest(db, slug)
    last.require_allowed(Change.BEGIN_CLOSING)
    _decide(db, last, groups)
    ends = min(until, last.schedule.ends or until)
    db.execute("UPDATE surveys SET closing = 1, ends = ? WHERE id = ?", [ends, last.key])
    record(db, actor, "begin_closing", slug, version=last.survey.version, ends=ends)
    return reading.newest(db, slug)


def _decide(db: Connection, published: Published, groups: GroupChoice | None) -> None:
    """Remember whether groups are kept; raise if there are strays and nothing was chosen."""
    if published.digest is not None:
        return
    strays = strays_at_closing(
        published, reading.sizes(db, published), reading.asked(db, published)
    )
    require_choice(strays, groups, published.survey.slug)
    if groups is not None:
        keeps = int(groups is GroupChoice.KEEP)
        db.execute("UPDATE surveys SET keeps_groups = ? WHERE id = ?", [keeps, published.key])


def reopen(db: Connection, slug: str, closes_at: int, actor: str) -> Published:
    """Let a full survey take reports again, until it has the new number of them."""
    last = reading.newest(db, slug)
    last.require_allowed(Change.REOPEN)
    # In the transaction of the check: no report comes in between.
    last.require_more(closes_at)
    db.execute("UPDATE surveys SET closes_at = ? WHERE id = ?", [closes_at, last.key])
    record(db, actor, "reopen", slug, version=last.survey.version, closes_at=closes_at)
    return reading.newest(db, slug)


def close_due(db: Connection) -> None:
    """Close the surveys whose time is over."""
    for published in reading.due(db):
        close_version(db, published, CLOCK)


def record_deleted_keys(db: Connection, versions: Iterable[Published]) -> None:
    """Record that the private keys of these versions are deleted."""
    for published in versions:
        db.execute("UPDATE surveys SET keyed = 0 WHERE id = ?", [published.key])


def archive(db: Connection, slug: str, actor: str) -> Published:
    """Archive a survey that is closed for good; its results stay readable."""
    last = reading.newest(db, slug)
    last.require_allowed(Change.ARCHIVE)
    db.execute("UPDATE surveys SET archived = 1 WHERE id = ?", [last.key])
    record(db, actor, "archive", slug, version=last.survey.version)
    return reading.newest(db, slug)


def close_version(db: Connection, published: Published, actor: str) -> Closing:
    """Close a version for good, unless that is done; return its count and digest."""
    survey = published.survey
    digest = published.digest or _close_for_good(db, published, actor)
    anchor = anchor_at_closing(db, survey.slug, survey.version)
    return Closing(survey.slug, survey.version, published.reports, digest, anchor)


def _close_for_good(db: Connection, published: Published, actor: str) -> str:
    """Take the last snapshot, decide about groups, part reports from tickets, store the digest."""
    survey = published.survey
    changed = _settle_groups(db, published)
    draw_ids_anew(db, published)
    keep_only_use(db, published.key)
    digest = digest_of(_checksums(db, published.key))
    db.execute(
        "UPDATE surveys SET state = 'closed', digest = ? WHERE id = ?", [digest, published.key]
    )
    db.owe_rewriting()
    figures = {"version": survey.version, "reports": published.reports, "digest": digest}
    record(db, actor, "close", survey.slug, **figures, **changed)
    return digest


def _settle_groups(db: Connection, published: Published) -> dict[str, int | str]:
    """Tell large groups apart from now on, or none; return what was done about the others.

    The public's snapshot has a stricter rule of its own, and remembers what it has shown.
    """
    query = "SELECT keeps_groups FROM surveys WHERE id = ?"
    keeps = bool(db.execute(query, [published.key]).fetchone()[0])
    sizes, asked = reading.sizes(db, published), reading.asked(db, published)
    strays = stray_groups(sizes, LEAST_IN_GROUP, asked)
    held = strays if keeps and are_too_few(sizes, LEAST_IN_GROUP, asked) else ()
    if held:
        snapshots.take_at_closing(db, published, held)
        hold_back(db, published, [name for name in strays if name in sizes])
        by_question = not are_too_few(sizes, LEAST_IN_GROUP)
        few = "people who were asked some question" if by_question else "reports"
        return {"held_back": f"fewer than {LEAST_IN_GROUP} {few}"}
    told_apart = sizes.keys() - set(strays) if keeps else ()
    # Of a survey by invitation the public has seen nothing yet. It sees what is merged as one
    # group: researchers could else subtract a part of it from the whole.
    if published.survey.by_invitation:
        merged = tell_apart(db, published, told_apart)
        snapshots.take_at_closing(db, published, tells_groups=keeps)
    else:
        snapshots.take_at_closing(db, published, tells_groups=keeps)
        merged = tell_apart(db, published, told_apart)
    return {"merged_groups": merged} if merged else {}


def _checksums(db: Connection, key: int) -> Iterable[bytes]:
    rows = db.execute("SELECT checksum FROM reports WHERE survey = ? ORDER BY id", [key])
    return (checksum for (checksum,) in rows)
