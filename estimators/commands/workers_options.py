"""The options that say who does the work: threads of this machine, or a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from estimators.workers.cluster import Tls, connected
from estimators.workers.threads import Threads, Workers

_FILE = click.Path(path_type=Path)
F = TypeVar("F", bound=Callable[..., Any])


def workers_options(command: F) -> F:
    """Add --jobs, --cluster and the certificates of a cluster."""
    for option in (
        click.option("--tls-key", type=_FILE, help="With tls://: your key, PEM."),
        click.option("--tls-cert", type=_FILE, help="With tls://: your certificate, PEM."),
        click.option("--tls-ca", type=_FILE, help="With tls://: who signed all certificates, PEM."),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Have the workers of a Dask scheduler do it, tcp://scheduler:8786. "
            "Never changes a result.",
        ),
        click.option(
            "--jobs", type=int, help="Threads; all cores by default. Never changes a result."
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class WorkersOptions:
    """What the options say."""

    jobs: int | None
    cluster: str | None
    tls_ca: Path | None
    tls_cert: Path | None
    tls_key: Path | None

    def __post_init__(self) -> None:
        if self.cluster is not None and self.jobs is not None:
            raise click.UsageError("give either --jobs or --cluster")
        files = (self.tls_ca, self.tls_cert, self.tls_key)
        if any(files) and (self.cluster is None or not all(files)):
            raise click.UsageError("tls:// needs --tls-ca, --tls-cert and --tls-key together")

    @contextmanager
    def workers(self) -> Iterator[Workers]:
        """Yield those who do the work."""
        if self.cluster is None:
            yield Threads(self.jobs)
            return
        tls = None
        if self.tls_ca and self.tls_cert and self.tls_key:
            tls = Tls(self.tls_ca, self.tls_cert, self.tls_key)
        with connected(self.cluster, tls) as cluster:
            yield cluster
