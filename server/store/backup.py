"""A copy of the database while the server runs, complete or absent, and verified."""

import sqlite3
from contextlib import closing
from pathlib import Path

from client.core.primitives.refusal import Refusal
from server.store.database import UNREADABLE, open_current_reader
from server.store.verify import Verification, verify


def back_up(source: Path, target: Path, log_key: bytes = b"") -> Verification:
    """Copy the database as of one moment to a new file, which appears once it is checked."""
    if target.exists():
        raise Refusal("file_exists.backup", "file", target=target)
    draft = target.with_name(f"{target.name}.unfinished")
    try:
        draft.unlink(missing_ok=True)
        _copy(source, draft)
        found = verify(draft, log_key=log_key)
        # Leave a damaged database as it is: somebody may want to recover parts of it.
        if found.is_sound:
            _forget_order(draft)
        draft.rename(target)
    except (OSError, *UNREADABLE) as error:
        draft.unlink(missing_ok=True)
        raise Refusal("backup_failed", "file", target=target, reason=error) from None
    return found


def _copy(source: Path, target: Path) -> None:
    with closing(open_current_reader(source)) as reader:
        # Nobody else's from the first byte on.
        target.touch(mode=0o600)
        with closing(sqlite3.connect(target)) as copy:
            reader.conn.backup(copy)
            # A single file, without a log next to it, is easier to handle.
            copy.execute("PRAGMA journal_mode = DELETE")


def _forget_order(copy: Path) -> None:
    """Rewrite the copy, so that its pages do not show in which order rows were stored."""
    with closing(sqlite3.connect(copy)) as db:
        db.execute("VACUUM")
