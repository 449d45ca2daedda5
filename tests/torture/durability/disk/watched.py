"""`candor serve` as a process whose disk is watched, and whose calls can be made to fail."""

import os
import signal
from pathlib import Path

from server.data_folder import DataFolder
from tests.torture.durability.disk.faults import Faults
from tests.torture.durability.disk.forks import forks


class WatchedServer:
    """A server on a watched data folder; `url` is "" if it ended before it listened."""

    def __init__(self, folder: DataFolder, trace: Path, faults: Faults, port: int = 0) -> None:
        folder.create()
        arguments = ("serve", "--data", str(folder.path.resolve()), "--port", str(port))
        # Outside the folder: what the server says is none of its files.
        self.errors = trace.with_suffix(".errors")
        ours, theirs = os.pipe()
        with self.errors.open("ab") as log:
            watched = (folder.path, trace, faults.path)
            self._pid = forks().start(arguments, watched, [theirs, log.fileno()])
        os.close(theirs)
        self._output = os.fdopen(ours, "rb")
        line = self._output.readline().decode()
        self.url = line.split(" at ")[1].split()[0] if line else ""

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended yet."""
        state = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"

    @property
    def threads(self) -> int:
        """How many threads the process has."""
        return len(list(Path(f"/proc/{self._pid}/task").iterdir()))

    def kill(self) -> None:
        """End the process at once, without a chance to tidy up."""
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals | None = signal.SIGTERM) -> int:
        """Send a signal, or none; wait for the end, and return the exit code."""
        if how is not None:
            os.kill(self._pid, how)
        code = forks().wait(self._pid)
        self._output.close()
        return code
