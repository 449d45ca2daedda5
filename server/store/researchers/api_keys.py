"""API keys in the database: only a hash of each, so that a copy of the file opens nothing."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from client.core.primitives.refusal import require
from client.core.primitives.words import secure_hex
from server.store.audit_log import record
from server.store.database import Connection
from server.store.researchers import accounts
from server.surveys.researchers import ApiKey, Researcher, Scope, check_label

# Makes keys recognizable in a log or a repository.
PREFIX = "candor_"
KEY_WORDS = 8
MOST_KEYS = 50
_KEY = re.compile(PREFIX + r"[0-9a-f]{64}")


def make(db: Connection, researcher: Researcher, label: str, scope: Scope) -> tuple[ApiKey, str]:
    """Make a key; return it with its text, which is shown only once."""
    check_label(label)
    in_use = [key for key in of(db, researcher) if not key.is_revoked]
    require(len(in_use) < MOST_KEYS, "too_many_keys", most=MOST_KEYS)
    text = PREFIX + secure_hex(KEY_WORDS)
    db.execute(
        "INSERT INTO api_keys (researcher, hash, scope, label, created) VALUES (?, ?, ?, ?, ?)",
        [researcher.key, _hash(text), scope, label.strip(), db.now[:10]],
    )
    made = of(db, researcher)[0]
    record(
        db, researcher.name, "make_key", "", researcher=researcher.name, key=made.id, scope=scope
    )
    return made, text


def revoke(db: Connection, researcher: Researcher, id: int) -> None:
    """Revoke a key for good; doing so again changes nothing."""
    mine = {key.id: key for key in of(db, researcher)}
    require(id in mine, "unknown_api_key", "id", id=id)
    if not mine[id].is_revoked:
        db.execute("UPDATE api_keys SET revoked = 1 WHERE id = ?", [id])
        record(db, researcher.name, "revoke_key", "", researcher=researcher.name, key=id)


def of(db: Connection, researcher: Researcher) -> list[ApiKey]:
    """List a researcher's keys, the newest first, including revoked ones."""
    rows = db.execute(
        "SELECT id, label, scope, created, revoked FROM api_keys WHERE researcher = ? "
        "ORDER BY id DESC",
        [researcher.key],
    )
    return [_api_key(row) for row in rows]


def holder(db: Connection, text: str) -> tuple[Researcher, Scope] | None:
    """Return whose key this is and its scope, or None if it is not valid."""
    if not _KEY.fullmatch(text):
        return None
    query = "SELECT researcher, scope FROM api_keys WHERE hash = ? AND revoked = 0"
    row = db.execute(query, [_hash(text)]).fetchone()
    found = None if row is None else accounts.with_key(db, row[0])
    return None if found is None else (found, Scope(row[1]))


def _hash(text: str) -> bytes:
    # A plain hash is enough: a key has 256 random bits, nobody tries them all.
    return hashlib.sha256(text.encode()).digest()


def _api_key(row: Sequence[Any]) -> ApiKey:
    id, label, scope, created, revoked = row
    return ApiKey(id, label, Scope(scope), created, bool(revoked))
