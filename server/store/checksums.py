"""How stored rows are bound: a flipped bit, a swap or a missing report shows."""

import hashlib
import hmac
from collections.abc import Iterable, Sequence

from client.core.primitives import canonical


def checksum(fingerprint: str, id: str, content: str, group: str = "") -> bytes:
    """Bind a report's content to its id, survey and group."""
    parts = [fingerprint, id, content, *([group] if group else [])]
    return hashlib.sha256("\n".join(parts).encode()).digest()


def snapshot_checksum(fingerprint: str, n: int, content: str) -> bytes:
    """Bind a snapshot's content to its survey and its number of reports."""
    return checksum(fingerprint, f"snapshot {n}", content)


def digest_of(checksums: Iterable[bytes]) -> str:
    """Hash all reports' checksums, in the order of the reports' ids."""
    digest = hashlib.sha256()
    for item in checksums:
        digest.update(item)
    return digest.hexdigest()


def log_link(key: bytes, before: bytes, words: Sequence[str]) -> bytes:
    """Bind an entry of the audit log to the entry before, with a key that is not in the file."""
    return hmac.digest(key, before + canonical.canonical(list(words)), "sha256")
