"""The library `disk.c`: compiled once per process, and told which folder to watch."""

import atexit
import ctypes
import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from tests.support import c_compiler

SOURCE = Path(__file__).with_name("disk.c")


@cache
def compiled() -> Path:
    """Compile the library into a temporary folder, and return its path."""
    compiler = c_compiler.find()
    if compiler is None:
        raise RuntimeError("no C compiler found: run `python -m tests.support.c_compiler` first")
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    library = Path(folder.name) / "disk.so"
    options = ["-Wall", "-Werror", "-O1", "-shared", "-fPIC", "-pthread"]
    subprocess.run([compiler, *options, "-o", library, SOURCE, "-ldl"], check=True)
    return library


def watch(folder: Path, trace: Path, faults: Path) -> None:
    """Watch a folder from now on, in a process that was started with the library."""
    places = [os.fsencode(path.resolve()) for path in (folder, trace, faults)]
    if ctypes.CDLL(None).disk_watch(*places):
        raise RuntimeError(f"{folder} cannot be watched")
