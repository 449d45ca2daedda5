"""A file that appears whole or not at all, and never in the place of another."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from client.refusal import Refusal, require
from client.words import secure_hex


def check_new_file(path: Path) -> None:
    """A name that is free, in a folder that exists: asked before long work is done."""
    if os.path.lexists(path):
        raise _taken(path)
    require(
        path.parent.is_dir(),
        "no_folder",
        f"{path} cannot be written: {path.parent} is no folder",
        str(path),
    )


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Write beside `path`; the name is given at the end, unless somebody has taken it by then."""
    check_new_file(path)
    draft = path.with_name(f".{path.name}.{secure_hex(2)}.unfinished")
    try:
        with draft.open("xb") as file:
            yield file
        # A hard link fails if the name is taken, where renaming would overwrite.
        os.link(draft, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}"
        raise Refusal("unwritable", message, str(path)) from None
    finally:
        # Whatever stopped the writing, a key press included, nothing half-written stays.
        draft.unlink(missing_ok=True)


def _taken(path: Path) -> Refusal:
    return Refusal("file_exists", f"{path} exists and is not overwritten", str(path))
