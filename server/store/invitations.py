"""Personal links in the database: a row for each, and the one ticket that its device asked for.

A row comes with the link and never changes its place or its size, so the file does not show when a
link was used. No transaction writes both here and to the reports, but the one that closes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from client.core.primitives.refusal import require
from server.store import reading
from server.store.audit_log import record
from server.store.database import Connection
from server.surveys.groups import selection_of
from server.surveys.records import Published
from server.surveys.researchers import OPERATOR
from server.surveys.states import Change

NOT_ASKED, NO_ANSWER = bytes(32), bytes(256)
# What is left of `asked` after the closing.
HAS_ASKED = bytes(31) + b"\1"


@dataclass(frozen=True)
class Asked:
    """The hash of what the device of a link asked to sign, and the signature; zeros before that."""

    hash: bytes
    answer: bytes


@dataclass(frozen=True)
class Gift:
    """A ticket to be given: the link by its hash, its group, what was asked, and the signature."""

    survey: int
    hash: bytes
    group: str
    asked: bytes
    answer: bytes


def asked_for(blinded: str) -> bytes:
    """Return what a row keeps of the blinded message that a device asks to sign."""
    return sha256(bytes.fromhex(blinded)).digest()


def invite(
    db: Connection, published: Published, group: str, hashes: Iterable[bytes], actor: str = OPERATOR
) -> None:
    """Store the hashes of new links, and count them by group."""
    _require_newest(db, published)
    count = db.execute_many(
        "INSERT INTO invitations (survey, hash, asked, answer) VALUES (?, ?, ?, ?)",
        # By their hashes, as they lie in the table: not in the order of the list of links.
        [(published.key, hash, NOT_ASKED, NO_ANSWER) for hash in sorted(hashes)],
    )
    db.execute(
        "UPDATE groups SET issued = issued + ? WHERE survey = ? AND name = ?",
        [count, published.key, group],
    )
    survey = published.survey
    named = selection_of(survey.groups, group).text(survey.groups)
    record(db, actor, "invite", survey.slug, version=survey.version, group=named, count=count)


def invite_strata(
    db: Connection,
    published: Published,
    hashes: Mapping[str, Collection[bytes]],
    actor: str = OPERATOR,
) -> None:
    """Store the hashes of new links of several groups."""
    for group, some in hashes.items():
        invite(db, published, group, some, actor)


def find(db: Connection, published: Published, hash: bytes) -> Asked | None:
    """Return what the device of a link asked for; None if there is no such link."""
    row = db.execute(
        "SELECT asked, answer FROM invitations WHERE survey = ? AND hash = ?", [published.key, hash]
    ).fetchone()
    return None if row is None else Asked(bytes(row[0]), bytes(row[1]))


def give_all(db: Connection, gifts: Sequence[Gift]) -> list[bool]:
    """Give tickets; False for each whose link has one already, or whose survey gives none now."""
    return [_give(db, gift) for gift in gifts]


def _give(db: Connection, gift: Gift) -> bool:
    given = db.execute(
        "UPDATE invitations SET asked = :asked, answer = :answer "
        "WHERE survey = :survey AND hash = :hash AND asked = :not_asked "
        "AND EXISTS (SELECT 1 FROM surveys WHERE id = :survey AND state = 'open' AND closing = 0 "
        "AND (opens IS NULL OR opens <= :now) AND (ends IS NULL OR :now < ends) "
        "AND (answer_from IS NULL OR :now < answer_from) "
        "AND (closes_at IS NULL OR reports < closes_at)) RETURNING 1",
        {**vars(gift), "not_asked": NOT_ASKED, "now": db.now},
    ).fetchone()
    if given is not None:
        db.execute(
            "UPDATE groups SET given = given + 1 WHERE survey = ? AND name = ?",
            [gift.survey, gift.group],
        )
    return given is not None


def link_counts(db: Connection, published: Published) -> dict[str, int]:
    """Return what everybody may compare: the links, tickets and reports of all groups."""
    query = "SELECT sum(issued), sum(given) FROM groups WHERE survey = ?"
    made, given = db.execute(query, [published.key]).fetchone()
    return {"links_made": made, "tickets_given": given, "reports": published.reports}


def keep_only_use(db: Connection, key: int) -> None:
    """Forget what was asked and answered at the closing; whether a link was used stays."""
    db.execute(
        "UPDATE invitations SET asked = CASE WHEN asked = :not_asked THEN :not_asked "
        "ELSE :has_asked END, answer = :no_answer WHERE survey = :key",
        {"not_asked": NOT_ASKED, "has_asked": HAS_ASKED, "no_answer": NO_ANSWER, "key": key},
    )


def _require_newest(db: Connection, published: Published) -> None:
    """Raise if the version is not the newest, whose links alone work, or invites nobody now."""
    now = reading.newest(db, published.survey.slug)
    now.require_allowed(Change.INVITE)
    require(now.key == published.key, "document_changed.groups", "slug", slug=now.survey.slug)
