"""Tells damage of a write-ahead log from what a power cut leaves.

SQLite reads a log up to the first frame whose checksum is wrong, and drops the rest without a word.
After a power cut that is right: the end was never synced, and nobody was told that it is stored. A
bit that flips in an older frame looks the same to SQLite, and acknowledged reports would be gone.

The difference: a transaction is only appended to one that was synced. So a frame that continues a
commit proves that everything up to this commit was on disk, and a wrong frame before it is damaged.
"""

from enum import Enum
from itertools import pairwise
from pathlib import Path

from server.store.wal.frames import Frame, has_frames, read_frames, read_header


class State(Enum):
    """What can be said about a log."""

    WHOLE = "everything in it can be read"
    # A power cut, or damage of what was stored last.
    CUT = "its end cannot be read"
    DAMAGED = "what was stored cannot be read any more"


def log_of(database: Path) -> Path:
    """Return where SQLite keeps the log of a database."""
    return database.with_name(f"{database.name}-wal")


def state_of_log(database: Path) -> State:
    """Read the log of a database, which somebody may be writing."""
    state = _state(_content(database))
    # A log that is written while it is read may look damaged, but not twice.
    return _state(_content(database)) if state is State.DAMAGED else state


def _content(database: Path) -> bytes:
    try:
        return log_of(database).read_bytes()
    except FileNotFoundError:
        return b""


def _state(content: bytes) -> State:
    if not has_frames(content):
        return State.WHOLE
    header = read_header(content)
    # It is synced before the first frame is written.
    if not header.is_right:
        return State.DAMAGED
    frames = list(read_frames(content, header))
    wrong = next((n for n, frame in enumerate(frames) if not _is_right(frame)), len(frames))
    rest = frames[wrong:]
    # A commit may itself be wrong: the frame that continues its checksum was written later.
    if any(one.is_current and one.commits and _is_right(after) for one, after in pairwise(rest)):
        return State.DAMAGED
    # The first may only have lost its salts; others without them are older than the header.
    if rest and (rest[0].follows or any(frame.is_current for frame in rest)):
        return State.CUT
    return State.WHOLE


def _is_right(frame: Frame) -> bool:
    return frame.is_current and frame.follows
