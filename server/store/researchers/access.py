"""Who may see and do what: the roles of researchers in surveys.

What changes anything runs inside the writer's transaction.
"""

from typing import Any

from client.core.primitives.refusal import Refusal
from server.store import reading
from server.store.audit_log import record
from server.store.database import Connection
from server.store.researchers import accounts
from server.surveys.records import Published
from server.surveys.researchers import (
    OPERATOR,
    Membership,
    Researcher,
    Role,
    check_owner_stays,
    check_part,
    check_role,
)


def role_of(db: Connection, researcher: Researcher, slug: str) -> Role | None:
    query = "SELECT role FROM memberships WHERE slug = ? AND researcher = ?"
    row = db.execute(query, [slug, researcher.key]).fetchone()
    return None if row is None else Role(row[0])


def memberships(db: Connection, researcher: Researcher) -> list[Membership]:
    """List the surveys in which a researcher has a role."""
    return _memberships(db, "researcher = ? ORDER BY slug", researcher.key)


def surveys(db: Connection, researcher: Researcher) -> list[tuple[Published, Role]]:
    """List the newest version of each of a researcher's surveys, with their role."""
    return [
        (published, membership.role)
        for membership in memberships(db, researcher)
        if (published := reading.latest(db, membership.slug)) is not None
    ]


def people(db: Connection, slug: str) -> list[Membership]:
    """List everybody who has a role in a survey."""
    return _memberships(db, "slug = ? ORDER BY name", slug)


def give_role(db: Connection, slug: str, name: str, role: Role, actor: str = OPERATOR) -> None:
    reading.newest(db, slug)
    researcher = accounts.named(db, name)
    before = role_of(db, researcher, slug)
    if before is role:
        return
    db.execute(
        "INSERT INTO memberships (slug, researcher, role) VALUES (?, ?, ?) "
        "ON CONFLICT (slug, researcher) DO UPDATE SET role = excluded.role",
        [slug, researcher.key, role],
    )
    check_owner_stays(before, people(db, slug), slug, actor)
    record(db, actor, "give_role", slug, researcher=name, role=role)


def take_role(db: Connection, slug: str, name: str, actor: str = OPERATOR) -> None:
    researcher = accounts.named(db, name)
    before = role_of(db, researcher, slug)
    if before is None:
        raise Refusal("no_role", "name", name=name, slug=slug)
    query = "DELETE FROM memberships WHERE slug = ? AND researcher = ?"
    db.execute(query, [slug, researcher.key])
    check_owner_stays(before, people(db, slug), slug, actor)
    record(db, actor, "take_role", slug, researcher=name, role=before)


def require_role(db: Connection, researcher: Researcher, slug: str, needed: Role) -> Role:
    """Raise unless the researcher has the role. Without any role, the survey is not found."""
    return check_role(role_of(db, researcher, slug), needed, slug)


def require_part(db: Connection, researcher: Researcher, slug: str, needed: Role) -> None:
    """Like `require_role`, but say that the slug belongs to a published survey."""
    check_part(role_of(db, researcher, slug), needed, slug)


def _memberships(db: Connection, where: str, value: Any) -> list[Membership]:
    rows = db.execute(
        "SELECT slug, name, role FROM memberships "
        f"JOIN researchers ON researchers.id = memberships.researcher WHERE {where}",
        [value],
    )
    return [Membership(slug, name, Role(role)) for slug, name, role in rows]
