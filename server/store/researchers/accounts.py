"""Researchers in the database. What changes anything runs inside the writer's transaction."""

from typing import Any

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import secure_hex
from server.store.audit_log import record
from server.surveys.audit import AuditContext
from server.surveys.researchers import Researcher, check_name

_COLUMNS = "SELECT id, name, stamp, active FROM researchers "
# Four words of 32 bits: nobody guesses one.
STAMP_WORDS = 4


def add(db: Database, name: str, password_hash: str, deed: AuditContext) -> Researcher:
    check_name(name)
    require(find(db, name) is None, "name_taken", f"there is a researcher {name!r} already", "name")
    db.execute(
        "INSERT INTO researchers (name, password_hash, stamp) VALUES (?, ?, ?)",
        [name, password_hash, secure_hex(STAMP_WORDS)],
    )
    record(db, deed, "add_researcher", "", researcher=name)
    return named(db, name)


def change_password(db: Database, name: str, password_hash: str, deed: AuditContext) -> None:
    """Every session that was begun with the old password is over."""
    found = named(db, name)
    db.execute("UPDATE researchers SET password_hash = ? WHERE id = ?", [password_hash, found.key])
    end_sessions(db, found)
    record(db, deed, "change_password", "", researcher=name)


def set_active(db: Database, name: str, active: bool, deed: AuditContext) -> None:
    found = named(db, name)
    if found.is_active == active:
        return
    db.execute("UPDATE researchers SET active = ? WHERE id = ?", [int(active), found.key])
    end_sessions(db, found)
    record(db, deed, "enable_researcher" if active else "disable_researcher", "", researcher=name)


def end_sessions(db: Database, researcher: Researcher) -> None:
    db.execute(
        "UPDATE researchers SET stamp = ? WHERE id = ?", [secure_hex(STAMP_WORDS), researcher.key]
    )


def everybody(db: Database) -> list[Researcher]:
    return [_researcher(row) for row in db.execute(_COLUMNS + "ORDER BY name")]


def named(db: Database, name: str) -> Researcher:
    found = find(db, name)
    if found is None:
        raise Refusal("unknown_researcher", f"there is no researcher {name[:80]!r}", "name")
    return found


def find(db: Database, name: str) -> Researcher | None:
    return _one(db, "WHERE name = ?", name)


def with_stamp(db: Database, stamp: str) -> Researcher | None:
    return _one(db, "WHERE stamp = ? AND active = 1", stamp)


def with_key(db: Database, key: int) -> Researcher | None:
    return _one(db, "WHERE id = ? AND active = 1", key)


def password_hash(db: Database, name: str) -> str | None:
    """Of somebody who may log in."""
    row = db.execute(
        "SELECT password_hash FROM researchers WHERE name = ? AND active = 1", [name]
    ).fetchone()
    return None if row is None else str(row[0])


def _one(db: Database, where: str, value: str | int) -> Researcher | None:
    row = db.execute(_COLUMNS + where, [value]).fetchone()
    return None if row is None else _researcher(row)


def _researcher(row: tuple[Any, ...]) -> Researcher:
    key, name, stamp, active = row
    return Researcher(key, name, stamp, bool(active))
