"""Commands of `candor` with the library loaded, as forks of one process that has all imports.

`tests.support.forked` does the same without the library, which must be there from the start.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.process import ROOT
from tests.torture.durability.disk import library

_MOST_BYTES = 65536


class Forks:
    """The process that forks, seen from the tests."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", f"from {__name__} import main; main({theirs.fileno()})"],
                cwd=ROOT,
                env={**os.environ, "LD_PRELOAD": str(library.compiled())},
                pass_fds=[theirs.fileno()],
            )

    def start(self, arguments: Sequence[str], watched: Sequence[Path], files: list[int]) -> int:
        """Run a command with these files as output and errors; return the number of its process."""
        request = {"arguments": list(arguments), "watched": [str(path) for path in watched]}
        socket.send_fds(self._ours, [json.dumps(request).encode()], files)
        return int(self._ours.recv(_MOST_BYTES))

    def wait(self, pid: int) -> int:
        """Wait for the end of a command; return its exit code, or minus the signal."""
        self._ours.send(json.dumps({"pid": pid}).encode())
        return int(self._ours.recv(_MOST_BYTES))


@cache
def forks() -> Forks:
    """Return the one process that forks; it ends when these tests do."""
    return Forks()


def main(place: int) -> None:
    """Fork a command for every request, until nobody can ask any more."""
    import server.cli
    import server.commands.folder  # noqa: F401

    running: set[int] = set()
    requests = socket.socket(fileno=place)
    while True:
        data, files, _, _ = socket.recv_fds(requests, _MOST_BYTES, 2)
        if not data:
            break
        request = json.loads(data)
        if "pid" in request:
            _, status = os.waitpid(request["pid"], 0)
            running.discard(request["pid"])
            requests.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        pid = os.fork()
        if pid == 0:
            requests.close()
            _run(request, files)
        running.add(pid)
        for file in files:
            os.close(file)
        requests.send(str(pid).encode())
    for pid in running:
        os.kill(pid, signal.SIGKILL)


def _run(request: dict[str, Any], files: Sequence[int]) -> None:
    from server.cli import main

    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
        os.close(file)
    library.watch(*map(Path, request["watched"]))
    main(request["arguments"], prog_name="candor")
