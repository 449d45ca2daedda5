"""Groups and personal invitations. Every function here runs inside the writer's transaction."""

from collections.abc import Iterable

from sqlite_utils import Database

from client.core.primitives.refusal import require
from client.core.survey import Survey
from server.store import reading
from server.store.audit_log import Deed
from server.store.records import Published
from server.store.states import Change

MOST_GROUPS = 200


def invite(
    db: Database, published: Published, group: str, hashes: Iterable[bytes], deed: Deed
) -> None:
    """Store tickets ahead, as hashes that are not used yet, and count them by their group."""
    now_open = _require_newest(db, published, deed)
    _ensure_group(db, now_open, group)
    count = db.conn.executemany(
        "INSERT INTO tickets (survey, hash, used) VALUES (?, ?, 0)",
        # By their hashes, as they lie in the table: not in the order of the list of links.
        [(published.key, ticket) for ticket in sorted(hashes)],
    ).rowcount
    db.execute(
        "UPDATE groups SET issued = issued + ? WHERE survey = ? AND name = ?",
        [count, published.key, group],
    )
    survey = published.survey
    deed.record(db, "invite", survey.slug, version=survey.version, group=group, count=count)


def add_group(db: Database, published: Published, group: str, deed: Deed) -> None:
    """Make room for the reports of a group, if it is new."""
    if _ensure_group(db, _require_newest(db, published, deed), group):
        survey = published.survey
        deed.record(db, "add_group", survey.slug, version=survey.version, group=group)


def open_group(db: Database, key: int, survey: Survey, group: str) -> None:
    """Every cell from the start, so that folding a report is an update and zeros are counted."""
    db.execute("INSERT INTO groups (survey, name) VALUES (?, ?)", [key, group])
    db.conn.executemany(
        "INSERT INTO tallies (survey, in_group, question, cell) VALUES (?, ?, ?, ?)",
        [
            (key, group, question.id, cell)
            for question in survey.questions
            for cell in range(question.mechanism.cells)
        ],
    )


def _require_newest(db: Database, published: Published, deed: Deed) -> Published:
    """The version as it is now: a link to an earlier one could never be used."""
    now = reading.newest(db, published.survey.slug, deed.now)
    now.require_allowed(Change.INVITE)
    require(
        now.key == published.key,
        "document_changed",
        f"the survey {now.survey.slug!r} was changed meanwhile; try again",
        "slug",
    )
    return now


def _ensure_group(db: Database, published: Published, group: str) -> bool:
    """Whether the group is new."""
    known = {item.name for item in reading.groups(db, published)}
    if group in known:
        return False
    require(
        len(known) <= MOST_GROUPS,
        "too_many_groups",
        f"a survey has at most {MOST_GROUPS} groups",
        "group",
    )
    open_group(db, published.key, published.survey, group)
    return True
