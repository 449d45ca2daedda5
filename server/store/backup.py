"""A copy of the database while the server runs, and back; complete or absent, and verified."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from client.core.primitives.refusal import Refusal
from server.store.audit_log import record
from server.store.database import (
    UNREADABLE,
    Connection,
    open_current_reader,
    open_reader,
    open_writer,
    place_of,
)
from server.store.engines.sqlite import SqliteConnection
from server.store.schema import rechain
from server.store.verify import Verification, verify
from server.surveys.audit import BRING_BACK
from server.surveys.researchers import OPERATOR


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
        # The copy is sound without what could not be read.
        found.problems += place_of(source).log_faults()
    except (OSError, *UNREADABLE) as error:
        draft.unlink(missing_ok=True)
        raise Refusal("backup_failed", "file", target=target, reason=error) from None
    return found


def bring_back(backup: Path, target: Path, log_key: bytes, has_log_key: bool) -> Verification:
    """Copy a backup to a new database, which appears once it is checked; raise if it is not sound.

    Without the key of its log, the log is chained again with a new one.
    """
    draft = target.with_name(f"{target.name}.unfinished")
    try:
        _copy(backup, draft, open_reader)
        found = _settle(draft, log_key, has_log_key)
    except (OSError, *UNREADABLE) as error:
        _discard(draft)
        raise Refusal("backup_damaged", "file", file=backup, reason=error) from None
    except Refusal:
        _discard(draft)
        raise
    if not found.is_sound:
        _discard(draft)
        raise Refusal("backup_damaged", "file", file=backup, reason=found.problems[0])
    draft.rename(target)
    return found


def _discard(draft: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        draft.with_name(f"{draft.name}{suffix}").unlink(missing_ok=True)


def _settle(draft: Path, log_key: bytes, has_log_key: bool) -> Verification:
    """Bring the tables of a copy up to date, check it, and write into its log where it is from."""
    # Tables that an older backup lacks are added here.
    with closing(open_writer(draft, log_key=log_key)) as db:
        if not has_log_key:
            rechain(db, log_key)
        found = verify(draft, log_key=log_key)
        if found.is_sound:
            record(db, OPERATOR, BRING_BACK, "", log_key="kept" if has_log_key else "new")
        # A single file, without a log next to it, can be renamed.
        db.execute("PRAGMA journal_mode = DELETE")
    return found


def _copy(
    source: Path, target: Path, open_source: Callable[[Path], Connection] = open_current_reader
) -> None:
    with closing(open_source(source)) as reader:
        # Nobody else's from the first byte on.
        target.touch(mode=0o600)
        with closing(sqlite3.connect(target)) as copy:
            assert isinstance(reader, SqliteConnection)
            reader.conn.backup(copy)
            # A single file, without a log next to it, is easier to handle.
            copy.execute("PRAGMA journal_mode = DELETE")


def _forget_order(copy: Path) -> None:
    """Rewrite the copy, so that its pages do not show in which order rows were stored."""
    with closing(sqlite3.connect(copy)) as db:
        db.execute("VACUUM")
