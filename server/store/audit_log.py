"""The audit log: every change that touches privacy, written in the transaction that makes it.

Each entry carries a hash over itself and the entry before, so that a log that was rewritten with
other tools no longer fits together.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from client.core.primitives import canonical
from server.store.database import Connection
from server.surveys.audit import REMOVE, Entry

_COLUMNS = "SELECT entry, moment, actor, action, slug, details, chain FROM audit_log "


def record(db: Connection, actor: str, action: str, slug: str, **details: Any) -> None:
    """Add an entry, inside the transaction of the change itself."""
    _add(db, db.now, actor, action, slug, canonical.canonical(details).decode())


def _add(db: Connection, *words: str) -> None:
    last = db.execute("SELECT chain FROM audit_log ORDER BY entry DESC LIMIT 1").fetchone()
    chain = link(last[0] if last else b"", *words)
    db.execute(
        "INSERT INTO audit_log (moment, actor, action, slug, details, chain) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [*words, chain],
    )


def entries(db: Connection, slug: str | None = None) -> list[Entry]:
    """List the entries about a survey, or all entries, the newest first."""
    rows = db.execute(
        _COLUMNS + "WHERE ? IS NULL OR slug = ? ORDER BY entry DESC", [slug, slug]
    ).fetchall()
    return [_entry(row) for row in rows]


def entries_since_removal(db: Connection, slug: str) -> list[Entry]:
    """List the entries about the survey that has the slug now, not about earlier ones."""
    rows = db.execute(
        _COLUMNS + "WHERE slug = ? AND entry > (SELECT coalesce(max(entry), 0) FROM audit_log "
        "WHERE slug = ? AND action = ?) ORDER BY entry DESC",
        [slug, slug, REMOVE],
    ).fetchall()
    return [_entry(row) for row in rows]


def broken_entries(db: Connection) -> Iterable[int]:
    """Yield the numbers of entries whose hash does not follow from the entry before."""
    before = b""
    for number, moment, actor, action, slug, details, chain in db.execute(
        _COLUMNS + "ORDER BY entry"
    ):
        if chain != link(before, moment, actor, action, slug, details):
            yield number
        # Damage can take it away altogether.
        before = chain or b""


def link(before: bytes, *words: str) -> bytes:
    """Hash an entry together with the hash of the entry before."""
    return hashlib.sha256(before + canonical.canonical(list(words))).digest()


def _entry(row: tuple[Any, ...]) -> Entry:
    number, moment, actor, action, slug, details, chain = row
    read: dict[str, Any] = canonical.parse(details.encode(), len(details.encode()), "details")
    return Entry(number, moment, actor, action, slug, read, chain)
