"""Researchers in the database. What changes anything runs inside the writer's transaction."""

from collections.abc import Sequence
from typing import Any

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import secure_hex
from server.store.audit_log import record
from server.store.database import Connection
from server.surveys.researchers import OPERATOR, Researcher, check_name

# Four words of 32 bits: nobody guesses one.
STAMP_WORDS = 4
_RESEARCHERS = "SELECT id, name, stamp, active FROM researchers "


def add(db: Connection, name: str, password_hash: str, actor: str = OPERATOR) -> Researcher:
    check_name(name)
    require(find(db, name) is None, "name_taken", "name", name=name)
    db.execute(
        "INSERT INTO researchers (name, password_hash, stamp) VALUES (?, ?, ?)",
        [name, password_hash, secure_hex(STAMP_WORDS)],
    )
    record(db, actor, "add_researcher", "", researcher=name)
    return named(db, name)


def change_password(db: Connection, name: str, password_hash: str, actor: str = OPERATOR) -> None:
    """Set a new password and end all sessions."""
    found = named(db, name)
    query = "UPDATE researchers SET password_hash = ? WHERE id = ?"
    db.execute(query, [password_hash, found.key])
    end_sessions(db, found)
    record(db, actor, "change_password", "", researcher=name)


def set_active(db: Connection, name: str, active: bool, actor: str = OPERATOR) -> None:
    found = named(db, name)
    if found.is_active == active:
        return
    db.execute("UPDATE researchers SET active = ? WHERE id = ?", [int(active), found.key])
    end_sessions(db, found)
    record(db, actor, "enable_researcher" if active else "disable_researcher", "", researcher=name)


def end_sessions(db: Connection, researcher: Researcher) -> None:
    query = "UPDATE researchers SET stamp = ? WHERE id = ?"
    db.execute(query, [secure_hex(STAMP_WORDS), researcher.key])


def note_login_link(db: Connection, name: str, actor: str = OPERATOR) -> None:
    record(db, actor, "make_login_link", "", researcher=name)


def log_in_by_link(db: Connection, name: str) -> Researcher:
    """Return the researcher with a new stamp, so that the link is spent and all sessions end."""
    end_sessions(db, named(db, name))
    record(db, name, "use_login_link", "", researcher=name)
    return named(db, name)


def everybody(db: Connection) -> list[Researcher]:
    return [_researcher(row) for row in db.execute(_RESEARCHERS + "ORDER BY name")]


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
    query = "SELECT password_hash FROM researchers WHERE name = ? AND active = 1"
    row = db.execute(query, [name]).fetchone()
    return None if row is None else str(row[0])


def _one(db: Connection, where: str, value: str | int) -> Researcher | None:
    row = db.execute(f"{_RESEARCHERS}WHERE {where}", [value]).fetchone()
    return None if row is None else _researcher(row)


def _researcher(row: Sequence[Any]) -> Researcher:
    key, name, stamp, active = row
    return Researcher(key, name, stamp, bool(active))
