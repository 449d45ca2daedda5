"""What is in the files of a LevelDB, read as bytes: whole records, removed ones too.

Chromium keeps most of what pages store in it. A log cuts records into blocks of 32 KiB, and a table
compresses its blocks with Snappy; a text could hide from a plain search in either.
"""

from collections.abc import Iterator

BLOCK = 32_768
LOG_HEADER = 7
FOOTER = 48
MAGIC = bytes.fromhex("57fb808b247547db")


def log_text(log: bytes) -> bytes:
    """All records of a log, without the headers between their pieces."""
    pieces = []
    for start in range(0, len(log), BLOCK):
        block = log[start : start + BLOCK]
        at = 0
        while at + LOG_HEADER <= len(block):
            size = int.from_bytes(block[at + 4 : at + 6], "little")
            pieces.append(block[at + LOG_HEADER : at + LOG_HEADER + size])
            at += LOG_HEADER + size
    return b"".join(pieces)


def table_text(table: bytes) -> bytes:
    """All blocks of a table, unpacked."""
    if table[-8:] != MAGIC:
        return b""
    footer = table[-FOOTER:]
    _, at = _handle(footer, 0)
    (offset, size), _ = _handle(footer, at)
    index = _block(table, offset, size)
    return b"".join(_block(table, *place) for place in _places(index))


def unsnap(packed: bytes) -> bytes:
    """Snappy, unpacked: pieces that stand there, and copies of what came before."""
    _, at = _varint(packed, 0)
    text = bytearray()
    while at < len(packed):
        tag = packed[at]
        at += 1
        if tag & 3 == 0:
            length = tag >> 2
            if length >= 60:
                more = length - 59
                length = int.from_bytes(packed[at : at + more], "little")
                at += more
            text += packed[at : at + length + 1]
            at += length + 1
            continue
        length, offset, at = _copy(packed, tag, at)
        for _ in range(length):
            text.append(text[-offset])
    return bytes(text)


def _copy(packed: bytes, tag: int, at: int) -> tuple[int, int, int]:
    if tag & 3 == 1:
        return 4 + (tag >> 2 & 7), (tag >> 5) << 8 | packed[at], at + 1
    width = 2 if tag & 3 == 2 else 4
    return (tag >> 2) + 1, int.from_bytes(packed[at : at + width], "little"), at + width


def _block(table: bytes, offset: int, size: int) -> bytes:
    packed = table[offset : offset + size]
    return unsnap(packed) if table[offset + size] == 1 else packed


def _places(index: bytes) -> Iterator[tuple[int, int]]:
    """Where the blocks of a table are: the values in its index."""
    restarts = int.from_bytes(index[-4:], "little")
    end = len(index) - 4 - 4 * restarts
    at = 0
    while at < end:
        _, at = _varint(index, at)
        unshared, at = _varint(index, at)
        length, at = _varint(index, at)
        place, _ = _handle(index, at + unshared)
        yield place
        at += unshared + length


def _handle(text: bytes, at: int) -> tuple[tuple[int, int], int]:
    offset, at = _varint(text, at)
    size, at = _varint(text, at)
    return (offset, size), at


def _varint(text: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = text[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
