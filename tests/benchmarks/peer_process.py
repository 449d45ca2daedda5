"""A peer in a separate process and environment."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
WORKER = Path(__file__).parent / "peers" / "worker.py"
# Made by `make bench`.
INTERPRETER = ROOT / ".venv-peers" / "bin" / "python"
PEERS = ("with_multi_freq", "with_pure_ldp", "with_opendp")


class PeerFailed(Exception):
    """The message of a peer that could not do the work."""


class PeerProcess:
    """Asks one peer for work, one request after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.introduction = self._answer()

    @property
    def package(self) -> str:
        return str(self.introduction["package"])

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        if "error" in answer:
            raise PeerFailed(f"{self.package}: {answer['error']}")
        return answer

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise PeerFailed(f"the process ended with code {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def peer(module: str) -> Iterator[PeerProcess]:
    """Start a peer by the name of its module; it ends with the block."""
    # Its warnings concern small samples and deprecated calls, not what is measured.
    process = subprocess.Popen(
        [INTERPRETER, "-W", "ignore", WORKER, module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield PeerProcess(process)
    finally:
        process.kill()
        process.communicate()
