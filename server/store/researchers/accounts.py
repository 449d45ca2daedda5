"""Researchers in the database. What changes anything runs inside the writer's transaction."""

from typing import Any

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import secure_hex
from server.store.audit_log import record
from server.store.database import Connection
from server.surveys.researchers import OPERATOR, Researcher, check_name

# Four words of 32 bits: nobody guesses one.
STAMP_WORDS = 4


def add(db: Connection, name: str, password_hash: str, actor: str = OPERATOR) -> Researcher:
    check_name(name)
    require(find(db, name) is None, "name_taken", "name", name=name)
    db.table("researchers").insert(
        {"name": name, "password_hash": password_hash, "stamp": secure_hex(STAMP_WORDS)}
    )
    record(db, actor, "add_researcher", "", researcher=name)
    return named(db, name)


def change_password(db: Connection, name: str, password_hash: str, actor: str = OPERATOR) -> None:
    """Set a new password and end all sessions."""
    found = named(db, name)
    db.table("researchers").update(found.key, {"password_hash": password_hash})
    end_sessions(db, found)
    record(db, actor, "change_password", "", researcher=name)


def set_active(db: Connection, name: str, active: bool, actor: str = OPERATOR) -> None:
    found = named(db, name)
    if found.is_active == active:
        return
    db.table("researchers").update(found.key, {"active": int(active)})
    end_sessions(db, found)
    record(db, actor, "enable_researcher" if active else "disable_researcher", "", researcher=name)


def end_sessions(db: Connection, researcher: Researcher) -> None:
    db.table("researchers").update(researcher.key, {"stamp": secure_hex(STAMP_WORDS)})


def note_login_link(db: Connection, name: str, actor: str = OPERATOR) -> None:
    record(db, actor, "make_login_link", "", researcher=name)


def log_in_by_link(db: Connection, name: str) -> Researcher:
    """Return the researcher with a new stamp, so that the link is spent and all sessions end."""
    end_sessions(db, named(db, name))
    record(db, name, "use_login_link", "", researcher=name)
    return named(db, name)


def everybody(db: Connection) -> list[Researcher]:
    return [_researcher(row) for row in db.table("researchers").rows_where(order_by="name")]


def named(db: Connection, name: str) -> Researcher:
    found = find(db, name)
    if found is None:
        raise Refusal("unknown_researcher", "name", name=name)
    return found


def find(db: Connection, name: str) -> Researcher | None:
    return _one(db, "name = ?", name)


def with_stamp(db: Connection, stamp: str) -> Researcher | None:
    """Return the researcher whose session has this stamp, or None."""
    return _one(db, "stamp = ? AND active = 1", stamp)


def with_key(db: Connection, key: int) -> Researcher | None:
    return _one(db, "id = ? AND active = 1", key)


def password_hash(db: Connection, name: str) -> str | None:
    """Return the hash for somebody who may log in, or None."""
    rows = db.table("researchers").rows_where("name = ? AND active = 1", [name])
    return next((str(row["password_hash"]) for row in rows), None)


def _one(db: Connection, where: str, value: str | int) -> Researcher | None:
    rows = db.table("researchers").rows_where(where, [value])
    return next(map(_researcher, rows), None)


def _researcher(row: dict[str, Any]) -> Researcher:
    return Researcher(row["id"], row["name"], row["stamp"], bool(row["active"]))
