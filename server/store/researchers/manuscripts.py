"""Manuscripts: who may read and change them. Changes run inside the writer's transaction."""

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import secure_hex
from server.store.database import Connection
from server.store.researchers import access
from server.surveys.manuscripts import check_respondents
from server.surveys.researchers import Manuscript, Researcher, Role

ID_WORDS = 4
# Of one researcher: whoever has an account must not be able to fill the disk.
MOST_MANUSCRIPTS = 200
MOST_CHARACTERS = 20_000_000
# For a researcher's key, twice: an unpublished manuscript is its author's, a published survey's
# manuscript is of everybody who has a part in the survey.
_READABLE = (
    "((manuscripts.slug IS NULL AND manuscripts.researcher = ?) OR manuscripts.slug IN "
    "(SELECT slug FROM memberships WHERE memberships.researcher = ?))"
)
_MANUSCRIPTS = (
    "SELECT manuscripts.id, manuscripts.slug, content, revision, updated, name, respondents "
    "FROM manuscripts JOIN researchers ON researchers.id = manuscripts.researcher WHERE "
    + _READABLE
)


def begin(
    db: Connection, researcher: Researcher, content: str, slug: str | None = None
) -> Manuscript:
    """Store a new manuscript, for a new survey or for the next version of one."""
    if slug is not None:
        access.require_role(db, researcher, slug, Role.EDITOR)
    _require_room(db, researcher, more=1, content=content)
    id = secure_hex(ID_WORDS)
    db.execute(
        "INSERT INTO manuscripts (id, researcher, slug, content, revision, updated) "
        "VALUES (?, ?, ?, ?, 1, ?)",
        [id, researcher.key, slug, content, db.now],
    )
    return find(db, researcher, id)


def save(
    db: Connection,
    researcher: Researcher,
    id: str,
    content: str,
    revision: int,
    respondents: int | None = None,
) -> Manuscript:
    """Replace the content, unless it was changed since `revision`."""
    found = _editable(db, researcher, id)
    require(found.revision == revision, "manuscript_changed.elsewhere", "revision")
    check_respondents(respondents)
    _require_room(db, researcher, more=0, content=content)
    db.execute(
        "UPDATE manuscripts SET content = ?, revision = ?, updated = ?, "
        "respondents = coalesce(?, respondents) WHERE id = ?",
        [content, revision + 1, db.now, respondents, id],
    )
    return find(db, researcher, id)


def _require_room(db: Connection, researcher: Researcher, more: int, content: str) -> None:
    """Raise if a researcher's manuscripts would be too many, or too large together."""
    count, size = db.execute(
        "SELECT count(*), coalesce(sum(length(content)), 0) FROM manuscripts WHERE researcher = ?",
        [researcher.key],
    ).fetchone()
    require(count + more <= MOST_MANUSCRIPTS, "manuscripts_full.count", most=MOST_MANUSCRIPTS)
    require(size + len(content) <= MOST_CHARACTERS, "manuscripts_full.size", most=MOST_CHARACTERS)


def assign(db: Connection, researcher: Researcher, id: str, slug: str) -> None:
    """Give a manuscript to a published survey, and so to all who work on it."""
    found = _editable(db, researcher, id)
    access.require_role(db, researcher, slug, Role.EDITOR)
    db.execute("UPDATE manuscripts SET slug = ? WHERE id = ?", [slug, found.id])


def discard(db: Connection, researcher: Researcher, id: str) -> None:
    found = _editable(db, researcher, id)
    db.execute("DELETE FROM manuscripts WHERE id = ?", [found.id])


def readable(db: Connection, researcher: Researcher) -> list[Manuscript]:
    """List all manuscripts that a researcher may read, the latest first."""
    rows = db.execute(_MANUSCRIPTS + " ORDER BY updated DESC, manuscripts.id", [researcher.key] * 2)
    return [Manuscript(*row) for row in rows]


def find(db: Connection, researcher: Researcher, id: str) -> Manuscript:
    row = db.execute(
        _MANUSCRIPTS + " AND manuscripts.id = ?", [researcher.key, researcher.key, id]
    ).fetchone()
    if row is None:
        raise Refusal("unknown_manuscript", "id", id=id)
    return Manuscript(*row)


def _editable(db: Connection, researcher: Researcher, id: str) -> Manuscript:
    """Return a manuscript that the researcher may change; raise if they may not."""
    found = find(db, researcher, id)
    if found.slug is not None:
        access.require_role(db, researcher, found.slug, Role.EDITOR)
    return found
