"""A cluster gives the bits that one thread gives, also when a worker dies; else it is refused."""

import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from estimators.simulation import engines
from estimators.simulation.running import Plan, run
from estimators.tallies import pieces
from estimators.tallies.adding import Adding
from estimators.tallies.counting import add_files
from estimators.tallies.tally_file import tally_bytes
from estimators.workers import cluster as own
from estimators.workers.cluster import Cluster, connected
from estimators.workers.threads import Threads
from tests.support import figures
from tests.support.cluster import Certificates, DaskCluster, dask_cluster
from tests.support.every_kind import lopsided
from tests.support.figures import complaint
from tests.support.tallies import (
    ASKED_THREE,
    BY_LINK,
    PLAIN,
    document_file,
    report_file,
    survey_with,
)

# Simulated respondents, in blocks that are small here.
RESPONDENTS, BLOCK = 6000, 500


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("dask")) as running:
        yield running


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut all work small, so that there is much to hand out."""
    monkeypatch.setattr(engines, "MOST_IN_BLOCK", BLOCK)
    monkeypatch.setattr(pieces, "ROWS_IN_PIECE", 10)
    monkeypatch.setattr(own, "CHUNK_SECONDS", 0.001)


def output(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = figures.figures(*arguments)
    # How long it took is all that may differ.
    return {key: value for key, value in found.items() if "second" not in key}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("shape", [PLAIN, ASKED_THREE])
def test_a_simulation_has_the_same_bits_on_threads_and_on_a_cluster(
    shape: str, cluster: DaskCluster, tmp_path: Path
) -> None:
    document = document_file(tmp_path, survey_with(shape))
    options = ("--respondents", RESPONDENTS, "--repeats", 3, "--seed", 5, "--engine", "respondents")
    command = ("simulate", document, *options)
    found = output(*command, "--cluster", cluster.address)
    assert found == output(*command, "--jobs", 1) == output(*command, "--jobs", 2)
    other = output(*command[:-3], 6, *command[-2:], "--jobs", 1)
    assert other["questions"] != found["questions"]


@pytest.mark.usefixtures("small_blocks")
def test_a_tally_has_the_same_bits_on_threads_and_on_a_cluster(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers stand in another folder."""
    survey = survey_with(BY_LINK)
    monkeypatch.chdir(tmp_path)
    document_file(Path(), survey)
    for number, suffix in enumerate((".parquet", ".csv", ".jsonl")):
        report_file(Path(f"r{number}{suffix}"), survey, 100, number)
    command = ("tally", "r*.parquet", "r1.csv", "--survey", "survey.json")
    here, there = (
        figures.run(*command, "--jobs", 1),
        figures.run(*command, "--cluster", cluster.address),
    )
    assert (there.exit_code, there.stderr) == (0, "")
    assert there.stdout == here.stdout


def test_what_a_worker_refuses_is_refused_here_in_the_same_words(
    cluster: DaskCluster, tmp_path: Path
) -> None:
    survey = survey_with(PLAIN)
    document = document_file(tmp_path, survey)
    path = report_file(tmp_path / "reports.csv", survey, 20)
    foreign = report_file(tmp_path / "foreign.parquet", survey_with(BY_LINK), 20)
    path.write_text(path.read_text() + "1\r\n")
    out = tmp_path / "tally.json"
    for file in (path, foreign):
        command = ("tally", file, "--survey", document, "-o", out)
        reason = complaint(*command, "--cluster", cluster.address)
        assert reason == complaint(*command, "--jobs", 1)
    assert not out.exists()


class Killer:
    """Kills a worker process in the middle of a task, without warning, after some results."""

    def __init__(self, workers: Cluster, victim: "subprocess.Popen[bytes]", name: str) -> None:
        self._workers, self.victim, self._name = workers, victim, name
        self._thread = threading.Thread(target=self._kill)
        self.done = 0

    def on_done(self, number: int) -> None:
        """Take notice of a result; after three of them, stop the worker's clock."""
        self.done += 1
        if self.done == 3:
            # It finishes nothing from now on, and the scheduler does not know that.
            self.victim.send_signal(signal.SIGSTOP)
            self._thread.start()

    def _kill(self) -> None:
        """Kill the worker once it holds a task."""
        while not self._workers.client.processing().get(self._name):
            time.sleep(0.01)
        self.victim.kill()

    def check(self) -> None:
        """Check that the worker was killed, and that work went on."""
        self._thread.join()
        assert self.victim.wait() == -signal.SIGKILL
        assert self.done > 20


@pytest.fixture
def killer(tmp_path: Path) -> Iterator[tuple[Cluster, Killer]]:
    with dask_cluster(tmp_path, workers=1) as running, connected(running.address) as workers:
        first = set(workers.client.nthreads())
        victim = running.add_worker()
        running.wait_for_workers(2)
        (name,) = set(workers.client.nthreads()) - first
        yield workers, Killer(workers, victim, name)


@pytest.mark.usefixtures("small_blocks")
def test_a_worker_that_is_killed_changes_no_simulation(killer: tuple[Cluster, Killer]) -> None:
    workers, killing = killer
    plan = Plan(lopsided(survey_with(ASKED_THREE)), 40 * BLOCK, 2, 7)
    found = list(run(plan, workers, killing.on_done))
    killing.check()
    assert str(found) == str(list(run(plan, Threads(1))))


@pytest.mark.usefixtures("small_blocks")
def test_a_worker_that_is_killed_changes_no_tally(
    killer: tuple[Cluster, Killer], tmp_path: Path
) -> None:
    workers, killing = killer
    survey = survey_with(ASKED_THREE)
    paths = [report_file(tmp_path / f"{at}.parquet", survey, 100, at) for at in range(30)]
    there, here = Adding(survey), Adding(survey)
    add_files(there, paths, workers, killing.on_done)
    killing.check()
    add_files(here, paths, Threads(1))
    assert tally_bytes(there.result()) == tally_bytes(here.result())


def test_a_cluster_that_does_not_answer_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(own, "CONNECT_SECONDS", 1)
    monkeypatch.setattr(own, "WORKER_SECONDS", 1)
    command = ("simulate", "--kind", "yes-no", "--epsilon", 1, "--respondents", 10)
    with socket.socket() as silent, socket.socket() as closed:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        # Bound and not listening: nobody else can take the port, and nobody answers.
        closed.bind(("127.0.0.1", 0))
        for server in (silent, closed):
            address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
            reason = complaint(*command, "--cluster", address)
            assert reason.startswith(f"no Dask scheduler answers at {address}: ")
    with dask_cluster(tmp_path, workers=0) as idle:
        reason = complaint(*command, "--cluster", idle.address)
        assert reason == f"the scheduler at {idle.address} has no workers"


def test_a_worker_with_another_version_is_refused(tmp_path: Path) -> None:
    older = tmp_path / "older.py"
    older.write_text("import client\nclient.__version__ = '0.0.9'\n")
    with dask_cluster(tmp_path, workers=0) as running:
        running.add_worker("--preload", str(older))
        running.wait_for_workers(1)
        command = ("simulate", "--kind", "yes-no", "--epsilon", 1, "--respondents", 10)
        reason = complaint(*command, "--cluster", running.address)
        assert "has candor 0.0.9, and this machine has" in reason
        # The same of one that comes later, when the others have begun.
        with unchecked(running.address) as late, pytest.raises(Refusal) as caught:
            list(late.in_order(divmod, 7, range(1, 3)))
        assert caught.value.message.startswith("a worker has candor 0.0.9, and this machine has")


@contextmanager
def unchecked(address: str) -> Iterator[Cluster]:
    """Connect without looking at the workers that are there."""
    client = own._connect(address, None)
    try:
        yield Cluster(address, client)
    finally:
        client.close()


def test_a_scheduler_that_is_lost_ends_the_work_in_one_sentence(tmp_path: Path) -> None:
    with dask_cluster(tmp_path, workers=1) as running, connected(running.address) as workers:
        results = workers.in_order(divmod, 7, range(1, 10**9))
        assert next(results) == (7, 0)
        running.close()
        with pytest.raises(Refusal) as caught:
            deque(results, maxlen=0)
        assert caught.value.code == "cluster_failed"
        assert caught.value.message.startswith(f"the scheduler at {running.address} was lost")


def test_a_cluster_with_tls_knows_those_who_have_a_certificate(tmp_path: Path) -> None:
    proof = Certificates.write(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    command = ("simulate", "--kind", "yes-no", "--epsilon", 1, "--respondents", 10, "--seed", 1)
    with dask_cluster(tmp_path, 1, proof) as running:
        assert running.address.startswith("tls://")
        there = ("--cluster", running.address)
        files = ("--tls-ca", proof.ca, "--tls-cert", proof.cert, "--tls-key", proof.key)
        assert output(*command, *there, *files) == output(*command, "--jobs", 1)
        foreign = Certificates.write(other)
        wrong = ("--tls-ca", foreign.ca, "--tls-cert", foreign.cert, "--tls-key", foreign.key)
        assert "no Dask scheduler answers at tls://" in complaint(*command, *there, *wrong)
        missing = ("--tls-ca", proof.ca, "--tls-cert", other / "x.pem", "--tls-key", proof.key)
        assert "no Dask scheduler answers at tls://" in complaint(*command, *there, *missing)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--cluster", "scheduler:8786"), "must be an address such as tcp://scheduler:8786"),
        (("--cluster", "http://a:80"), "must be an address such as tcp://scheduler:8786"),
        (("--cluster", "tls://a:8786"), "with tls:// needs --tls-ca, --tls-cert and --tls-key"),
        (("--cluster", "tcp://a:1", "--jobs", "2"), "give either --jobs or --cluster"),
        (("--tls-ca", "ca.pem"), "tls:// needs --tls-ca, --tls-cert and --tls-key together"),
        (("--cluster", "tcp://a:1", "--out", "x.csv"), "--out and --send do not need it"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: tuple[str, ...], reason: str) -> None:
    command = ("simulate", "--kind", "yes-no", "--epsilon", "1", "--respondents", "10")
    assert reason in complaint(*command, *options)
