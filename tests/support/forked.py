"""`candor` as a process of its own, without the second and a half that its imports take.

A fork server imports the program once; every command is a fork of it, with signals, threads and
files of its own. `tests/house/test_wheel.py` starts the command as people do.
"""

import multiprocessing
import os
import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["server.cli", "server.commands.folder"])
_PATIENCE_SECONDS = 60


class Forked:
    """A running command whose output can be read, and whose errors go to a file."""

    def __init__(self, arguments: Sequence[str], errors: Path) -> None:
        reader, writer = _CONTEXT.Pipe(duplex=False)
        # As a daemon it ends with the tests, whatever happens to them.
        self._process = _CONTEXT.Process(
            target=_run, args=(list(arguments), writer, errors), daemon=True
        )
        self._process.start()
        writer.close()
        with reader:
            self.output = os.fdopen(os.dup(reader.fileno()), "rb")

    def end(self, how: signal.Signals) -> int:
        """Send a signal, wait for the end, and return the exit code."""
        assert self._process.pid is not None
        os.kill(self._process.pid, how)
        return self.wait()

    def wait(self) -> int:
        """Wait for the end, and return the exit code."""
        self._process.join(_PATIENCE_SECONDS)
        assert self._process.exitcode is not None, "still running"
        return self._process.exitcode


def _run(arguments: list[str], output: Connection, errors: Path) -> None:
    from server.cli import main

    with errors.open("ab") as log:
        os.dup2(log.fileno(), 2)
    os.dup2(output.fileno(), 1)
    output.close()
    main(arguments, prog_name="candor")
