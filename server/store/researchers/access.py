"""Who may see what: every question of a researcher about surveys and manuscripts is filtered here.

What changes anything runs inside the writer's transaction.
"""

from typing import Any

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal, require
from server.store import reading
from server.store.audit_log import record
from server.store.researchers import accounts
from server.surveys.audit import OPERATOR, AuditContext
from server.surveys.records import Published
from server.surveys.researchers import Manuscript, Membership, Researcher, Role

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


def role_of(db: Database, researcher: Researcher, slug: str) -> Role | None:
    row = db.execute(
        "SELECT role FROM memberships WHERE slug = ? AND researcher = ?", [slug, researcher.key]
    ).fetchone()
    return None if row is None else Role(row[0])


def memberships(db: Database, researcher: Researcher) -> list[Membership]:
    """The surveys that a researcher has a part in."""
    return _memberships(db, "researcher = ? ORDER BY slug", researcher.key)


def surveys(db: Database, researcher: Researcher, now: str) -> list[tuple[Published, Role]]:
    """The newest version of each of them, with the researcher's role."""
    return [
        (published, membership.role)
        for membership in memberships(db, researcher)
        if (published := reading.latest(db, membership.slug, now)) is not None
    ]


def forget(db: Database, slug: str) -> None:
    """Nobody has a part in a survey that is gone, nor in another one that takes its slug."""
    for table in ("memberships", "manuscripts"):
        db.execute(f"DELETE FROM {table} WHERE slug = ?", [slug])


def people(db: Database, slug: str) -> list[Membership]:
    """Everybody who has a part in a survey."""
    return _memberships(db, "slug = ? ORDER BY name", slug)


def give_role(db: Database, slug: str, name: str, role: Role, deed: AuditContext) -> None:
    reading.newest(db, slug, deed.now)
    researcher = accounts.named(db, name)
    before = role_of(db, researcher, slug)
    if before is role:
        return
    db.execute(
        "INSERT INTO memberships (slug, researcher, role) VALUES (?, ?, ?) "
        "ON CONFLICT (slug, researcher) DO UPDATE SET role = excluded.role",
        [slug, researcher.key, role],
    )
    _require_an_owner(db, slug, before, deed)
    record(db, deed, "give_role", slug, researcher=name, role=role)


def take_role(db: Database, slug: str, name: str, deed: AuditContext) -> None:
    researcher = accounts.named(db, name)
    before = role_of(db, researcher, slug)
    if before is None:
        raise Refusal("no_role", f"{name!r} has no part in the survey {slug[:80]!r}", "name")
    db.execute("DELETE FROM memberships WHERE slug = ? AND researcher = ?", [slug, researcher.key])
    _require_an_owner(db, slug, before, deed)
    record(db, deed, "take_role", slug, researcher=name, role=before)


def _require_an_owner(db: Database, slug: str, before: Role | None, deed: AuditContext) -> None:
    """A researcher leaves no survey without an owner; the operator may."""
    require(
        before is not Role.OWNER
        or deed.actor == OPERATOR
        or any(member.role is Role.OWNER for member in people(db, slug)),
        "last_owner",
        f"the survey {slug!r} needs an owner; make somebody else owner first",
        "role",
    )


def manuscripts(db: Database, researcher: Researcher) -> list[Manuscript]:
    """All that a researcher may read, the latest first."""
    rows = db.execute(_MANUSCRIPTS + " ORDER BY updated DESC, manuscripts.id", [researcher.key] * 2)
    return [Manuscript(*row) for row in rows]


def manuscript(db: Database, researcher: Researcher, id: str) -> Manuscript:
    row = db.execute(
        _MANUSCRIPTS + " AND manuscripts.id = ?", [researcher.key, researcher.key, id]
    ).fetchone()
    if row is None:
        raise Refusal("unknown_manuscript", f"there is no manuscript {id[:80]!r}", "id")
    return Manuscript(*row)


def editable_manuscript(db: Database, researcher: Researcher, id: str) -> Manuscript:
    """One that the researcher may change: their own, or that of a survey that they may edit."""
    found = manuscript(db, researcher, id)
    if found.slug is not None:
        require_role(role_of(db, researcher, found.slug), Role.EDITOR, found.slug)
    return found


def require_role(role: Role | None, needed: Role, slug: str) -> Role:
    """Refuse a researcher without the role. Who has no part in a survey does not hear of it."""
    if role is None:
        raise reading.unknown_survey(slug)
    require(
        role.includes(needed),
        "role_too_low",
        f"this needs the role {needed} of the survey {slug!r}; yours is {role}",
    )
    return role


def require_part(db: Database, researcher: Researcher, slug: str, needed: Role) -> None:
    """The same of a slug that is published, with a word that helps whoever did not know."""
    role = role_of(db, researcher, slug)
    require(
        role is not None,
        "slug_taken",
        f"somebody else has published a survey as {slug!r}; choose another slug",
        "slug",
    )
    require_role(role, needed, slug)


def _memberships(db: Database, where: str, value: Any) -> list[Membership]:
    rows = db.execute(
        "SELECT slug, name, role FROM memberships "
        f"JOIN researchers ON researchers.id = memberships.researcher WHERE {where}",
        [value],
    )
    return [Membership(slug, name, Role(role)) for slug, name, role in rows]
