"""Do tasks on the workers of a Dask cluster, which may be many machines.

Tasks are handed out in chunks that take about as long as `CHUNK_SECONDS`, whatever one task takes.
What a worker had done or was doing when it died is done again elsewhere: tasks are pure functions.
"""

import asyncio
import logging
import pickle
import re
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from client.core.primitives.refusal import Refusal, require
from estimators.workers.threads import AHEAD, Done, Shared, Task
from estimators.workers.versions import check_versions, own_versions

CONNECT_SECONDS = 30
WORKER_SECONDS = 30
# Handing out a chunk takes milliseconds; a worker that dies loses no more than a chunk or two.
CHUNK_SECONDS = 1.0
MOST_IN_CHUNK = 2**14
# A chunk is at most this many times as large as the one before: one time says little.
GROWTH = 8
# How often to ask whether workers have come or gone.
COUNT_SECONDS = 5.0

_ADDRESS = re.compile(r"(tcp|tls)://[^\s/:]+:[0-9]{1,5}|(tcp|tls)://\[[0-9a-fA-F:]+\]:[0-9]{1,5}")


@dataclass(frozen=True)
class Tls:
    """The files that both sides of a `tls://` connection prove themselves with."""

    ca: Path
    cert: Path
    key: Path


@dataclass(frozen=True)
class Cluster:
    """The workers of the scheduler at this address, to which the client is connected."""

    address: str
    client: Any

    def in_order(
        self, work: Callable[[Shared, Task], Done], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Done]:
        """Yield the results in order, while the workers are a few chunks ahead."""
        left, waiting, size, pace = iter(tasks), deque[Any](), 1, _Pace(self.client)
        # Made by a task of its own: unlike data that is sent once, it can be made again.
        given = self.client.submit(pickle.loads, pickle.dumps(shared), pure=False)
        try:
            while True:
                while len(waiting) <= AHEAD * pace.threads() and (
                    chunk := tuple(islice(left, size))
                ):
                    made = self.client.submit(_do, own_versions(), work, given, chunk, pure=False)
                    waiting.append(made)
                if not waiting:
                    return
                seconds, found = self._result(waiting.popleft())
                size = _next_size(len(found), seconds)
                yield from found
        finally:
            self.client.cancel([*waiting, given])

    def _result(self, future: Any) -> tuple[float, list[Any]]:
        """Wait for a chunk; raise what its work raised, or that the cluster is lost."""
        distributed = load_distributed()
        try:
            found: tuple[float, list[Any]] = future.result()
        except Refusal:
            raise
        except distributed.KilledWorker as error:
            raise Refusal("cluster_failed.killed", self.address, reason=error) from None
        except (distributed.CancelledError, OSError):
            raise Refusal("cluster_failed.lost", self.address) from None
        return found


class _Pace:
    """How many threads the cluster has, asked now and then."""

    def __init__(self, client: Any) -> None:
        self._client, self._asked, self._threads = client, -COUNT_SECONDS, 1

    def threads(self) -> int:
        if time.monotonic() - self._asked > COUNT_SECONDS:
            self._threads = max(1, sum(self._client.nthreads().values()))
            self._asked = time.monotonic()
        return self._threads


def _next_size(size: int, seconds: float) -> int:
    wanted = round(size * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(1, min(wanted, GROWTH * size, MOST_IN_CHUNK))


def _do(
    versions: dict[str, str],
    work: Callable[[Shared, Task], Done],
    shared: Shared,
    tasks: tuple[Task, ...],
) -> tuple[float, list[Done]]:
    """Do some tasks, on a worker; return how many seconds they took, and the results."""
    # A worker may have come after the others were checked.
    check_versions("a worker", own_versions(), versions)
    start = time.monotonic()
    found = [work(shared, task) for task in tasks]
    return time.monotonic() - start, found


@contextmanager
def connected(address: str, tls: Tls | None = None) -> Iterator[Cluster]:
    """Connect to a scheduler; raise unless it has workers with the same versions as here."""
    require(bool(_ADDRESS.fullmatch(address)), "bad_cluster.address", "cluster", address=address)
    require((tls is not None) == address.startswith("tls:"), "bad_cluster.tls", "cluster")
    client = _connect(address, tls)
    try:
        _check_workers(client, address)
        yield Cluster(address, client)
    finally:
        client.close(timeout=CONNECT_SECONDS)


def _connect(address: str, tls: Tls | None) -> Any:
    distributed = load_distributed()
    # What is wrong is said in one sentence, not in logs and warnings.
    for name in [
        name for name in logging.root.manager.loggerDict if name.startswith("distributed")
    ]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")
    try:
        security = _security(distributed, tls)
        # Somebody who says nothing would keep the client waiting for ever.
        _ask_in_a_thread(address, security)
        return distributed.Client(
            address, timeout=CONNECT_SECONDS, security=security, set_as_default=False
        )
    # Whatever answers there may say anything: OSError, ValueError and errors of the codec.
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise Refusal("no_cluster", "cluster", address=address, reason=reason) from None


def _security(distributed: Any, tls: Tls | None) -> Any:
    if tls is None:
        return distributed.Security()
    return distributed.Security(
        tls_ca_file=str(tls.ca),
        tls_client_cert=str(tls.cert),
        tls_client_key=str(tls.key),
        require_encryption=True,
    )


def _ask_in_a_thread(address: str, security: Any) -> None:
    """Ask a scheduler who it is, for a while; the caller may have an event loop of its own."""

    def ask() -> None:
        asyncio.run(asyncio.wait_for(_ask(address, security), CONNECT_SECONDS))

    with ThreadPoolExecutor(1) as alone:
        alone.submit(ask).result()


async def _ask(address: str, security: Any) -> None:
    """Ask a scheduler who it is."""
    connect: Any = load_distributed().rpc
    async with connect(
        address, connection_args=security.get_connection_args("client")
    ) as scheduler:
        await scheduler.identity()


def _check_workers(client: Any, address: str) -> None:
    distributed = load_distributed()
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except (TimeoutError, distributed.TimeoutError):
        raise Refusal("no_cluster.workers", "cluster", address=address) from None
    said = client.run(own_versions, on_error="return")
    for worker, versions in said.items():
        found = versions if isinstance(versions, dict) else {}
        check_versions(f"the worker {worker}", found, own_versions())


def load_distributed() -> Any:
    """Import distributed, which only clusters need; raise if it is not installed."""
    try:
        import distributed
    except ImportError:
        raise Refusal("no_distributed") from None
    return distributed
