"""The section of BENCHMARKS.md about large surveys: tallies beside DuckDB, and what Dask costs.

Other programs may keep the machine busy, so processor time is measured beside the clock.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import psutil
import pyarrow
from pyarrow import parquet

from client.core.survey import Survey
from estimators.counting.formats import schema_of
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question
from estimators.simulation.reports import simulate_columns, write_reports
from estimators.simulation.running import Plan, run
from estimators.tallies.adding import Adding
from estimators.tallies.counting import add_files
from estimators.warehouse.query import tally_query
from estimators.workers.cluster import connected
from estimators.workers.threads import Threads, Workers
from tests.benchmarks.billion import WATCHED
from tests.benchmarks.page import MET, spoken, table
from tests.benchmarks.sections import write_into_page
from tests.support.cluster import DaskCluster, dask_cluster
from tests.support.every_kind import every_kind
from tests.support.process import CANDOR, ROOT
from tests.support.surveys import one_of, survey_of, yes_no

TITLE = "## Large surveys"
BILLION = 10**9
# Reports to a list of 16 options, of which each report holds 4.
SETS = 10**7
RESPONDENTS = 10**7
ROUNDS = 5
CORES = 2
BLOCK = 2**20
GOAL_MEGABYTES, GOAL_OVERHEAD = 500, 0.15


@dataclass(frozen=True)
class Cost:
    """What some work took: seconds by the clock, and seconds of all processors."""

    clock: float
    processor: float


@dataclass(frozen=True)
class Counted:
    """Reports that the tally, the query it prints, and a bare GROUP BY counted in turn."""

    what: str
    reports: int
    bytes: int
    tally: Cost
    query: Cost
    bare: Cost


@dataclass(frozen=True)
class Findings:
    """Everything that the section says."""

    load: float
    counted: Sequence[Counted]
    megabytes: float
    local: Sequence[Cost]
    cluster: Sequence[Cost]


def write_section() -> None:
    """Measure, and write the section into the page."""
    write_into_page("\n".join(section(measure(BILLION, SETS, RESPONDENTS, ROUNDS))))


def measure(many: int, sets: int, respondents: int, rounds: int) -> Findings:
    """Measure with so many yes/no reports, reports with sets, and simulated respondents."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain, lists = survey_of(yes_no("q", "1")), survey_of(one_of("q", 16, "1", size=4))
        bits, chosen = folder / "bits.parquet", folder / "sets.parquet"
        write_bits(bits, plain, many)
        people = Population(lists, shares_by_question(lists, []))
        write_reports(simulate_columns(people, sets, stream(1)), chosen, lists)
        counted = [_counted("yes/no", plain, bits, many), _counted("4 of 16", lists, chosen, sets)]
        megabytes = _peak(folder, plain, bits)
        local, cluster = _simulated(folder, respondents, rounds)
    return Findings(load, counted, megabytes, local, cluster)


def write_bits(path: Path, survey: Survey, reports: int) -> None:
    """Write many yes/no reports; blocks of a million are alike."""
    bits = np.random.Generator(np.random.SFC64(1)).integers(0, 2, BLOCK, dtype=np.int32)
    block = pyarrow.record_batch([pyarrow.array(bits)], schema=schema_of(survey))
    with parquet.ParquetWriter(path, block.schema) as writer:
        for first in range(0, reports, BLOCK):
            writer.write_batch(block.slice(0, min(BLOCK, reports - first)))


def _counted(what: str, survey: Survey, path: Path, reports: int) -> Counted:
    with duckdb.connect() as warehouse:
        warehouse.execute(f"SET threads={CORES}")
        query = tally_query(survey, "duckdb", f"'{path}'")
        bare = f"SELECT q, COUNT(*) FROM '{path}' GROUP BY q"
        if "list" in str(schema_of(survey).field("q").type):
            bare = f"SELECT cell, COUNT(*) FROM (SELECT UNNEST(q) AS cell FROM '{path}') GROUP BY 1"
        return Counted(
            what,
            reports,
            path.stat().st_size,
            _cost(lambda: _tally(path, survey, reports)),
            _cost(lambda: warehouse.execute(query).fetchall()),
            _cost(lambda: warehouse.execute(bare).fetchall()),
        )


def _tally(path: Path, survey: Survey, reports: int) -> None:
    adding = Adding(survey)
    add_files(adding, [path], Threads(CORES))
    assert adding.result().reports == reports


def _cost(work: Callable[[], object], others: Sequence[psutil.Process] = ()) -> Cost:
    """Return what work took, also in other processes."""

    def spent() -> float:
        return time.process_time() + sum(sum(each.cpu_times()[:2]) for each in others)

    clock, processor = time.perf_counter(), spent()
    work()
    return Cost(time.perf_counter() - clock, spent() - processor)


def _peak(folder: Path, survey: Survey, path: Path) -> float:
    """Run the whole command, and return its peak memory in megabytes."""
    document = folder / "survey.json"
    document.write_bytes(survey.document)
    command = [*CANDOR, "tally", str(path), "--survey", str(document), "--jobs", str(CORES)]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *command], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    # Linux counts in kilobytes.
    return int(done.stdout) / 1000


def _simulated(folder: Path, respondents: int, rounds: int) -> tuple[list[Cost], list[Cost]]:
    """Simulate the same plan on threads and on as many workers of a cluster, in turn."""
    survey = every_kind(sampled=False)
    plan = Plan(Population(survey, shares_by_question(survey, [])), respondents, 1, 1)
    local, remote = [], []
    with dask_cluster(folder, CORES) as cluster, connected(cluster.address) as workers:
        others = _processes(cluster)
        for number in range(rounds + 1):
            here = _cost(lambda: _run(plan, Threads(CORES)), others)
            there = _cost(lambda: _run(plan, workers), others)
            # In the first round the workers import what they need.
            if number:
                local.append(here)
                remote.append(there)
    return local, remote


def _processes(cluster: DaskCluster) -> list[psutil.Process]:
    return [psutil.Process(process.pid) for process in cluster.processes]


def _run(plan: Plan, workers: Workers) -> None:
    assert len(list(run(plan, workers))) == plan.repeats


def section(found: Findings) -> Iterator[str]:
    """Yield the section's lines."""
    yield TITLE
    yield ""
    yield (
        "Parquet files of reports, counted by `candor tally` and by DuckDB "
        f"{duckdb.__version__}, each on {CORES} threads: with the query that `--sql` prints, which "
        "checks every row, and with a bare `GROUP BY` of the one column, which checks nothing. "
        "The tally also takes the SHA-256 of the file. When the run began, other programs kept the "
        f"machine busy with a load of {found.load:.1f}: time by the clock suffers from it, "
        "processor time less. `python -m tests.benchmarks large` writes only this section."
    )
    yield ""
    head = ["reports", "number", "megabytes", "reports per second: tally", "query", "bare"]
    head += ["per second of processors: tally", "query", "bare", "tally / query", "tally / bare"]
    yield from table(head, map(_row, found.counted))
    yield ""
    met = MET if found.megabytes < GOAL_MEGABYTES else "missed"
    yield (
        f"- The whole command on {spoken(found.counted[0].reports)} reports takes at most "
        f"{found.megabytes:.0f} MB. Goal under {GOAL_MEGABYTES} MB: {met}."
    )
    clock, processor = (
        statistics.median(
            getattr(there, name) / getattr(here, name)
            for here, there in zip(found.local, found.cluster, strict=True)
        )
        - 1
        for name in ("clock", "processor")
    )
    met = MET if clock < GOAL_OVERHEAD else "missed"
    yield (
        f"- A Dask cluster of {CORES} workers with one thread each on this machine, beside {CORES} "
        f"threads: a simulation takes {clock:+.1%} by the clock and {processor:+.1%} of "
        f"processor time, scheduler and client included (medians of {len(found.local)} rounds in "
        f"turn; by the clock {_spread(found)}). Goal under {GOAL_OVERHEAD:.0%} by the clock: {met}."
    )


def _spread(found: Findings) -> str:
    ratios = [b.clock / a.clock - 1 for a, b in zip(found.local, found.cluster, strict=True)]
    return f"from {min(ratios):+.0%} to {max(ratios):+.0%}"


def _row(found: Counted) -> list[str]:
    ways = (found.tally, found.query, found.bare)
    clock = [found.reports / way.clock for way in ways]
    processor = [found.reports / way.processor for way in ways]
    ratios = (f"{processor[0] / other:.2f}" for other in processor[1:])
    size = f"{found.bytes / 1e6:,.0f}"
    return [found.what, spoken(found.reports), size, *map(spoken, [*clock, *processor]), *ratios]
