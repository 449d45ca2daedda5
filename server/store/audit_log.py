"""The audit log: every change that touches privacy, written in the transaction that makes it.

Each entry carries a keyed hash over itself and the entry before. Whoever has the file but not the
key can cut entries off the end, but neither change nor add any unnoticed. Whoever has both can
rewrite everything after the last anchor that somebody else keeps: the hash of an entry at closing.
"""

from collections.abc import Iterable
from typing import Any

from client.core.primitives import canonical
from server.store.checksums import log_link
from server.store.database import Connection
from server.surveys.audit import BRING_BACK, REMOVE, Entry

_COLUMNS = "SELECT entry, moment, actor, action, slug, details, chain FROM audit_log "


def record(db: Connection, actor: str, action: str, slug: str, **details: Any) -> None:
    """Add an entry, inside the transaction of the change itself."""
    _add(db, db.now, actor, action, slug, canonical.canonical(details).decode())


def _add(db: Connection, *words: str) -> None:
    last = db.execute("SELECT chain FROM audit_log ORDER BY entry DESC LIMIT 1").fetchone()
    assert db.log_key, "entries need the key of the log"
    chain = log_link(db.log_key, last[0] if last else b"", words)
    db.execute(
        "INSERT INTO audit_log (moment, actor, action, slug, details, chain) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [*words, chain],
    )


def entries(db: Connection, slug: str | None = None) -> list[Entry]:
    """List the entries about a survey, or all entries, the newest first."""
    where = "" if slug is None else "WHERE slug = ? "
    rows = db.execute(f"{_COLUMNS}{where}ORDER BY entry DESC", [] if slug is None else [slug])
    return [_entry(row) for row in rows]


def entries_since_removal(db: Connection, slug: str) -> list[Entry]:
    """List the entries about the survey that has the slug now, not about earlier ones."""
    rows = db.execute(
        _COLUMNS + "WHERE slug = ? AND entry > (SELECT coalesce(max(entry), 0) FROM audit_log "
        "WHERE slug = ? AND action = ?) ORDER BY entry DESC",
        [slug, slug, REMOVE],
    ).fetchall()
    return [_entry(row) for row in rows]


def anchor_at_closing(db: Connection, slug: str, version: int) -> str:
    """Return the hash of the entry that closed a version, for keeping elsewhere; "" if none did."""
    for entry in entries_since_removal(db, slug):
        if entry.action == "close" and entry.details["version"] == version:
            return entry.chain.hex()
    return ""


def is_older_than_backup(db: Connection, slug: str, fingerprint: str) -> bool:
    """Tell whether the database came back from a backup after a version was published."""
    published = (
        "SELECT coalesce(max(entry), 0) FROM audit_log "
        "WHERE slug = ? AND action = 'publish' AND details LIKE ?"
    )
    row = db.execute(
        f"SELECT count(*) FROM audit_log WHERE action = ? AND entry > ({published})",
        [BRING_BACK, slug, f"%{fingerprint}%"],
    ).fetchone()
    return bool(row[0])


def faults(db: Connection, key: bytes, anchor: str = "") -> Iterable[str]:
    """Yield what does not fit in the log, by its key and by an anchor that somebody kept."""
    chains = [chain for (chain,) in db.execute("SELECT chain FROM audit_log")]
    count, anchored = (
        len(chains),
        anchor.lower() in (chain.hex() for chain in chains if isinstance(chain, bytes)),
    )
    broken = list(_broken_entries(db, key))
    if count > 1 and len(broken) == count:
        yield "no entry fits the key: log.key was lost or replaced, or the log was rewritten"
    else:
        yield from (f"entry {number} does not fit the one before" for number in broken)
    if anchor and not anchored:
        yield f"no entry has the anchor {anchor}: the log was rewritten, cut off or replaced"


def _broken_entries(db: Connection, key: bytes) -> Iterable[int]:
    """Yield the numbers of entries whose hash does not follow from the entry before."""
    before = b""
    for number, *words, chain in db.execute(_COLUMNS + "ORDER BY entry"):
        if chain != log_link(key, before, words):
            yield number
        # Damage can take it away altogether.
        before = chain or b""


def _entry(row: tuple[Any, ...]) -> Entry:
    number, moment, actor, action, slug, details, chain = row
    read: dict[str, Any] = canonical.parse(details.encode(), len(details.encode()), "details")
    return Entry(number, moment, actor, action, slug, read, chain)
