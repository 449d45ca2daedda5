"""Writing manuscripts. Every function runs inside the writer's transaction."""

from sqlite_utils import Database

from client.core.primitives.refusal import require
from client.core.primitives.words import secure_hex
from server.store.researchers import access
from server.surveys.researchers import Manuscript, Researcher, Role

ID_WORDS = 4
MOST_RESPONDENTS = 10**9


def begin(
    db: Database, researcher: Researcher, content: str, slug: str | None, now: str
) -> Manuscript:
    """A new one, for a new survey or for the next version of one that the researcher may edit."""
    if slug is not None:
        access.require_role(access.role_of(db, researcher, slug), Role.EDITOR, slug)
    id = secure_hex(ID_WORDS)
    db.execute(
        "INSERT INTO manuscripts (id, researcher, slug, content, revision, updated) "
        "VALUES (?, ?, ?, ?, 1, ?)",
        [id, researcher.key, slug, content, now],
    )
    return access.manuscript(db, researcher, id)


def save(
    db: Database,
    researcher: Researcher,
    id: str,
    content: str,
    revision: int,
    respondents: int | None,
    now: str,
) -> Manuscript:
    """Replace the content, unless somebody (or another window) did so since `revision`."""
    found = access.editable_manuscript(db, researcher, id)
    require(
        found.revision == revision,
        "manuscript_changed",
        "this survey was changed elsewhere meanwhile; load it again to see the change",
        "revision",
    )
    check_respondents(respondents)
    db.execute(
        "UPDATE manuscripts SET content = ?, respondents = coalesce(?, respondents), "
        "revision = revision + 1, updated = ? WHERE id = ?",
        [content, respondents, now, id],
    )
    return access.manuscript(db, researcher, id)


def check_respondents(respondents: int | None) -> None:
    require(
        respondents is None or 1 <= respondents <= MOST_RESPONDENTS,
        "bad_respondents",
        f"respondents must be from 1 to {MOST_RESPONDENTS}, got {respondents}",
        "respondents",
    )


def assign(db: Database, researcher: Researcher, id: str, slug: str) -> None:
    """From now on it belongs to a published survey, and so to all who work on that."""
    found = access.editable_manuscript(db, researcher, id)
    access.require_role(access.role_of(db, researcher, slug), Role.EDITOR, slug)
    db.execute("UPDATE manuscripts SET slug = ? WHERE id = ?", [slug, found.id])


def discard(db: Database, researcher: Researcher, id: str) -> None:
    found = access.editable_manuscript(db, researcher, id)
    db.execute("DELETE FROM manuscripts WHERE id = ?", [found.id])
