"""What a watched process did to its disk, call by call."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_HEAD = struct.Struct("=c3q")

CREATED, WRITTEN, TRUNCATED, SYNCED = "c", "w", "t", "s"
FOLDER_SYNCED, UNLINKED, RENAMED, ACKNOWLEDGED = "d", "u", "r", "a"


@dataclass(frozen=True)
class Record:
    """One call that succeeded, or the moment before an answer of 2xx leaves.

    `file` is the number of the file on the real disk, or the port of who is answered. `data` are
    the bytes that were written, or a name; of a renamed file its old and its new name.
    """

    what: str
    file: int
    offset: int
    data: bytes

    @property
    def names(self) -> list[str]:
        return self.data.decode().split("\0")


def read_trace(path: Path) -> Iterator[Record]:
    """Yield what was recorded; what a killed process wrote last may be cut off."""
    content = path.read_bytes()
    place = 0
    while place + _HEAD.size <= len(content):
        what, file, offset, size = _HEAD.unpack_from(content, place)
        place += _HEAD.size
        if place + size > len(content):
            return
        yield Record(what.decode(), file, offset, content[place : place + size])
        place += size
