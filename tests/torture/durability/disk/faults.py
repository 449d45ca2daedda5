"""Which calls on the watched files fail: set from outside, while the server runs."""

import errno
import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

READ, WRITE, SYNC, CHANGE = 1, 2, 4, 8
_FIELDS = struct.Struct("6q")


@dataclass(frozen=True)
class Fault:
    """Calls of some kinds that fail: the one with the number `first`, then each `every`-th.

    With `every` 0 it is only that one, with 1 all that follow.
    """

    name: str
    kinds: int
    error: int
    first: int = 1
    every: int = 1


FULL = Fault("disk full", WRITE, errno.ENOSPC)
READ_ONLY = Fault("read-only", WRITE | SYNC | CHANGE, errno.EROFS)
BAD_WRITE = Fault("I/O error in a write", WRITE | CHANGE, errno.EIO)
BAD_SYNC = Fault("I/O error in a sync", SYNC, errno.EIO)
BAD_READ = Fault("I/O error in a read", READ, errno.EIO)


class Faults:
    """The page of memory that the library and the tests share."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(bytes(_FIELDS.size))
        with path.open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), _FIELDS.size)

    def arm(self, fault: Fault) -> None:
        """Let calls fail from now on, and count them from 1."""
        self._put(fault.kinds, fault.error, fault.first, fault.every, 0, 0)

    @property
    def seen(self) -> int:
        """How many calls of the kinds have been made since."""
        seen: int = _FIELDS.unpack(self._page[:])[4]
        return seen

    def disarm(self) -> int:
        """Let nothing fail any more; return how many calls did."""
        failed: int = _FIELDS.unpack(self._page[:])[5]
        self._put(0, 0, 0, 0, 0, 0)
        return failed

    def _put(self, *fields: int) -> None:
        self._page[:] = _FIELDS.pack(*fields)
