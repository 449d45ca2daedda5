"""Rewriting the file, so that no page remembers an order or a row that was deleted.

That it is owed stands in the file itself, in the transaction that made it necessary: a crash, or a
reader that is in the way, only puts it off.
"""

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal


def owe(db: Database) -> None:
    db.execute("PRAGMA user_version = 1")


def is_owed(db: Database) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0])


def rewrite(db: Database) -> None:
    """Must run outside any transaction."""
    db.execute("VACUUM")
    # After VACUUM, which writes the new file through the log.
    empty_log(db)
    db.execute("PRAGMA user_version = 0")
    empty_log(db)


def empty_log_if_idle(db: Database) -> None:
    """The log shows what was stored together; it is emptied unless somebody is reading it."""
    (patience,) = db.execute("PRAGMA busy_timeout").fetchone()
    # Nobody who hands in a report should wait for a reader.
    db.execute("PRAGMA busy_timeout = 0")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    db.execute(f"PRAGMA busy_timeout = {patience}")


def empty_log(db: Database) -> None:
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise Refusal("storage_unavailable", "a reader keeps the log from being emptied")
