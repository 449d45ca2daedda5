"""A real Dask scheduler with worker processes, on ports of their own choosing."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import distributed

from tests.support.process import ROOT

# They have no types.
SECURITY: Any = distributed.Security
CLIENT: Any = distributed.Client
# Nobody waits for so long, unless the machine is very busy.
PATIENCE_SECONDS = 240


@dataclass(frozen=True)
class Certificates:
    """Files with which everybody in a cluster proves who they are."""

    ca: Path
    cert: Path
    key: Path

    @classmethod
    def write(cls, folder: Path) -> "Certificates":
        """Make certificates that are valid for this test."""
        made = SECURITY.temporary()
        files = cls(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
        files.ca.write_text(made.tls_ca_file)
        files.cert.write_text(made.tls_scheduler_cert)
        files.key.write_text(made.tls_scheduler_key)
        return files

    @property
    def options(self) -> list[str]:
        return [
            "--tls-ca-file",
            f"{self.ca}",
            "--tls-cert",
            f"{self.cert}",
            "--tls-key",
            f"{self.key}",
        ]

    @property
    def security(self) -> Any:
        return SECURITY(
            tls_ca_file=str(self.ca),
            tls_client_cert=str(self.cert),
            tls_client_key=str(self.key),
            require_encryption=True,
        )


class DaskCluster:
    """A scheduler, and workers that tests may kill."""

    def __init__(self, folder: Path, certificates: Certificates | None = None) -> None:
        self._folder = folder
        self._arguments = certificates.options if certificates else []
        self._security = certificates.security if certificates else None
        self._file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        command = ["dask_scheduler", "--port", "0", "--no-dashboard", "--no-show"]
        self._start(
            [
                *command,
                "--scheduler-file",
                str(self._file),
                "--host",
                "127.0.0.1",
                *(["--protocol", "tls"] if certificates else []),
            ]
        )
        self._wait_for(self._file.exists)
        self.address: str = json.loads(self._file.read_text())["address"]

    def add_worker(self, *options: str) -> subprocess.Popen[bytes]:
        """Start a worker process with one thread; it may still be on its way to the scheduler."""
        command = ["dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        folder = self._folder / f"worker-{len(self.processes)}"
        command += ["--local-directory", str(folder), "--memory-limit", "0", *options]
        return self._start(command)

    def wait_for_workers(self, number: int) -> None:
        """Wait until so many workers have come."""
        if number:
            with CLIENT(self.address, timeout=PATIENCE_SECONDS, security=self._security) as client:
                client.wait_for_workers(number, timeout=PATIENCE_SECONDS)

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        program, *options = command
        module = f"distributed.cli.{program}"
        with (self._folder / "log.txt").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *options, *self._arguments],
                cwd=ROOT,
                stdout=log,
                stderr=log,
                env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
            )
        self.processes.append(process)
        return process

    def _wait_for(self, happened: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not happened():
            assert time.monotonic() < end, (self._folder / "log.txt").read_text()
            time.sleep(0.05)

    def close(self) -> None:
        for process in reversed(self.processes):
            process.send_signal(signal.SIGKILL)
            process.wait()


@contextmanager
def dask_cluster(
    folder: Path, workers: int = 2, certificates: Certificates | None = None
) -> Iterator[DaskCluster]:
    """Run a scheduler and so many workers, and end them all."""
    cluster = DaskCluster(folder, certificates)
    try:
        for _ in range(workers):
            cluster.add_worker()
        cluster.wait_for_workers(workers)
        yield cluster
    finally:
        cluster.close()
