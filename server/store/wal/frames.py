"""The frames of a write-ahead log, each with what its checksum says.

The format is SQLite's (https://www.sqlite.org/fileformat2.html#walformat): a header, then frames of
one page each. The checksum of a frame continues that of the frame before it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682
_WORD = 0xFFFFFFFF
Pair = tuple[int, int]


@dataclass(frozen=True)
class Header:
    """The start of a log; a new one has other salts, so that older frames do not count."""

    page_size: int
    salts: Pair
    sums: Pair
    # As the machine that made the log writes a number.
    order: str
    is_right: bool


@dataclass(frozen=True)
class Frame:
    """A page in the log."""

    # Whether it is the last of a transaction.
    commits: bool
    # Whether it was written after the current header.
    is_current: bool
    # Whether its checksum continues what stands before it.
    follows: bool


def read_header(content: bytes) -> Header:
    """Read the header of a log that is long enough to have one."""
    magic, _, page_size, _, *rest = _HEADER.unpack_from(content)
    order = ">" if magic & 1 else "<"
    sums = _sums((0, 0), content[: _HEADER.size - 8], order)
    is_right = magic & ~1 == _MAGIC and sums == (rest[2], rest[3])
    return Header(page_size, (rest[0], rest[1]), sums, order, is_right)


def has_frames(content: bytes) -> bool:
    """Tell whether anything follows the header."""
    return len(content) > _HEADER.size


def read_frames(content: bytes, header: Header) -> Iterator[Frame]:
    """Yield the whole frames of a log whose header is right."""
    size = _FRAME.size + header.page_size
    before = header.sums
    for place in range(_HEADER.size, len(content) - size + 1, size):
        _, pages, salt, other, first, second = _FRAME.unpack_from(content, place)
        stored = first, second
        sums = _sums(before, content[place : place + 8], header.order)
        sums = _sums(sums, content[place + _FRAME.size : place + size], header.order)
        yield Frame(bool(pages), (salt, other) == header.salts, sums == stored)
        before = stored


def _sums(before: Pair, data: bytes, order: str) -> Pair:
    """Continue SQLite's checksum, which adds up words in pairs."""
    first, second = before
    for one, other in struct.iter_unpack(f"{order}2I", data):
        first = (first + one + second) & _WORD
        second = (second + other + first) & _WORD
    return first, second
