"""API keys in the database: only a hash of each, so that a copy of the file opens nothing."""

import hashlib
import re
from typing import Any

from sqlite_utils import Database

from client.core.primitives.refusal import require
from client.core.primitives.words import secure_hex
from server.store.audit_log import record
from server.store.researchers import accounts
from server.surveys.audit import AuditContext
from server.surveys.researchers import ApiKey, Researcher, Scope, check_label

# Whoever finds one in a log or a repository knows what it is.
PREFIX = "candor_"
KEY_WORDS = 8
MOST_KEYS = 50
_KEY = re.compile(PREFIX + r"[0-9a-f]{64}")
_COLUMNS = "SELECT id, label, scope, created, revoked FROM api_keys "


def make(
    db: Database, researcher: Researcher, label: str, scope: Scope, deed: AuditContext
) -> tuple[ApiKey, str]:
    """A new key and its text, which nobody can read again."""
    check_label(label)
    in_use = [key for key in of(db, researcher) if not key.is_revoked]
    require(len(in_use) < MOST_KEYS, "too_many_keys", f"at most {MOST_KEYS} keys; revoke one first")
    text = PREFIX + secure_hex(KEY_WORDS)
    id = db.execute(
        "INSERT INTO api_keys (researcher, hash, scope, label, created) VALUES (?, ?, ?, ?, ?)",
        [researcher.key, _hash(text), scope, label.strip(), deed.now[:10]],
    ).lastrowid
    record(db, deed, "make_key", "", researcher=researcher.name, key=id, scope=scope)
    row = db.execute(_COLUMNS + "WHERE id = ?", [id]).fetchone()
    return _api_key(row), text


def revoke(db: Database, researcher: Researcher, id: int, deed: AuditContext) -> None:
    """Never valid again; revoking again changes nothing."""
    mine = {key.id: key for key in of(db, researcher)}
    require(id in mine, "unknown_api_key", f"there is no key {id}", "id")
    if not mine[id].is_revoked:
        db.execute("UPDATE api_keys SET revoked = 1 WHERE id = ?", [id])
        record(db, deed, "revoke_key", "", researcher=researcher.name, key=id)


def of(db: Database, researcher: Researcher) -> list[ApiKey]:
    rows = db.execute(_COLUMNS + "WHERE researcher = ? ORDER BY id DESC", [researcher.key])
    return [_api_key(row) for row in rows]


def holder(db: Database, text: str) -> tuple[Researcher, Scope] | None:
    """Whose key this is and what it is good for, if it is good for anything."""
    if not _KEY.fullmatch(text):
        return None
    row = db.execute(
        "SELECT researcher, scope FROM api_keys WHERE hash = ? AND revoked = 0", [_hash(text)]
    ).fetchone()
    found = None if row is None else accounts.with_key(db, row[0])
    return None if found is None else (found, Scope(row[1]))


def _hash(text: str) -> bytes:
    # A plain hash is enough: a key has 256 random bits, nobody tries them all.
    return hashlib.sha256(text.encode()).digest()


def _api_key(row: tuple[Any, ...]) -> ApiKey:
    id, label, scope, created, revoked = row
    return ApiKey(id, label, Scope(scope), created, bool(revoked))
