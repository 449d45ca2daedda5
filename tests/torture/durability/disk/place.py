"""A temporary folder in memory, for all that does not ask how fast or how safe the disk is."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = Path("/dev/shm")


@contextmanager
def in_memory() -> Iterator[Path]:
    """Yield a new folder, in memory if this machine has a place there, and delete it afterwards."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)
