"""`candor serve` as a separate process, which tests may stop, kill and start again."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.data_folder import DataFolder
from tests.support.forked import Forked

CANDOR = [sys.executable, "-c", "from server.cli import main; main()"]
ROOT = Path(__file__).parent.parent.parent


class ServerProcess:
    """A running `candor serve`; `url` is known once it listens."""

    def __init__(self, folder: DataFolder, port: int = 0) -> None:
        self.log = folder.path / "log-of-the-server.txt"
        folder.create()
        arguments = ("serve", "--data", str(folder.path), "--port", str(port))
        self._process = Forked(arguments, self.log)
        line = self._process.output.readline().decode()
        assert " at http://" in line, self.log.read_text()
        self.url = line.split(" at ")[1].split()[0]

    def kill(self) -> None:
        """Kill the process without warning or clean-up, like a power failure."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask the process to stop, and return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        code = self._process.end(how)
        self._process.output.close()
        return code


@contextmanager
def serving(folder: DataFolder) -> Iterator[ServerProcess]:
    process = ServerProcess(folder)
    try:
        yield process
    finally:
        process.kill()


def candor(folder: DataFolder, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run one command on a data folder to its end."""
    return subprocess.run(
        [*CANDOR, *arguments, "--data", str(folder.path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
