"""What goes wrong in an engine, told apart: unavailable for now, damaged, or a wrong statement."""

import sqlite3

# The file could not be read or written, now: the disk, or somebody who holds a lock.
_UNAVAILABLE = {
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL),
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Failure(Exception):
    """A statement that failed in an engine which is no file."""


class Unavailable(Failure):
    """The engine cannot be reached or has no room; later it may well be."""


FAILURES = (sqlite3.Error, Failure)
# SQLite's own complaint may quote a broken text, and then cannot be read itself.
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError, Failure)


def is_unavailable(error: BaseException) -> bool:
    """Tell whether the storage could not be read or written, and later may well be."""
    return isinstance(error, Unavailable) or _code(error) in _UNAVAILABLE


def is_of_the_storage(error: BaseException) -> bool:
    """Tell whether the storage is at fault, not a statement: some failed reads look like damage."""
    return isinstance(error, Unavailable) or _code(error) in _UNAVAILABLE | _DAMAGED


def _code(error: BaseException) -> int:
    # Only errors from within SQLite have one. The higher bits tell more.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
