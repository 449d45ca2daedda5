"""Small files of a device: on disk before anything is sent, and only their owner can read them."""

import json
import os
from pathlib import Path
from typing import Any

from client.core.primitives.refusal import require
from client.core.primitives.words import secure_hex


def read(path: Path) -> Any | None:
    """Return what a file keeps; None if there is no file."""
    try:
        value = json.loads(path.read_text())
    except FileNotFoundError:
        return None
    except ValueError:
        value = None
    # A second draw, or a second ticket, would give more away: stop.
    require(value is not None, "outbox_unreadable", path=path)
    return value


def keep_first(path: Path, value: Any) -> Any | None:
    """Keep a value durably, unless one is kept already; return the one that is kept.

    It is None if that one was removed meanwhile.
    """
    draft = _written(path, value)
    try:
        # A hard link appears whole and fails if the name is taken: the first one wins.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    _sync_folder(path)
    return read(path)


def replace(path: Path, value: Any) -> None:
    """Keep another value durably in the place of the one before; readers see one or the other."""
    _written(path, value).replace(path)
    _sync_folder(path)


def remove(path: Path) -> None:
    """Remove a file durably, if it is there."""
    if path.exists():
        path.unlink(missing_ok=True)
        _sync_folder(path)


def _written(path: Path, value: Any) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secure_hex(2)}.part")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(value, file)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _sync_folder(path: Path) -> None:
    """Wait until the folder has the new name; without this a power cut could undo it."""
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
