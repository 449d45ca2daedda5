"""The section of BENCHMARKS.md about the server: how fast it takes reports, and at which price."""

import os
import statistics
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from client.core.primitives.words import secure_hex
from client.core.report import Report
from server.data_folder import DataFolder
from server.store import ballot_box
from server.store.database import open_writer
from server.store.writer import MAX_BATCH, Entry, commit_all
from server.surveys.ballots.ballot import Ballot
from tests.benchmarks import accepting
from tests.benchmarks.accepting import Accepting, median_rate
from tests.benchmarks.bulk import fill
from tests.benchmarks.page import MET, table
from tests.benchmarks.sections import write_into_page
from tests.support.engines import sqlite

TITLE = "## The server"
# Connections, and how many requests a round has.
LOADS = ((64, 2_000), (384, 3_000))
ROUNDS = 9
GOAL_RATIO = 0.60
GOAL_P99_MILLISECONDS = 120
GOAL_WORST_MILLISECONDS = 1000


def write_section() -> None:
    """Measure, print, and write the section into the page; the rest of the page stays."""
    before = os.getloadavg()[0]
    found = [accepting.measure(requests, connections, ROUNDS) for connections, requests in LOADS]
    text = "\n".join(section(found, statements_per_batch((1, MAX_BATCH)), before))
    write_into_page(text)


def statements_per_batch(sizes: Iterable[int]) -> dict[int, int]:
    """Return how many statements a batch of so many new reports takes."""
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name))
        survey = fill(folder, 0)
        report = Report(survey.fingerprint, {question.id: 1 for question in survey.questions})
        with closing(open_writer(folder.database)) as db:
            # No milestone may lie in a batch: its snapshot takes statements of its own.
            db.execute("UPDATE surveys SET reports = 1000")
            counts: dict[int, int] = {}
            for size in sizes:
                seen: list[str] = []
                batch = [Ballot(survey, secure_hex(4), report) for _ in range(size)]
                sqlite(db).set_trace_callback(seen.append)
                commit_all(db, [Entry(ballot_box.put_all, ballot) for ballot in batch])
                sqlite(db).set_trace_callback(None)
                counts[size] = len(seen)
    return counts


def section(
    found: Sequence[Accepting], statements: Mapping[int, int], load: float
) -> Iterator[str]:
    """Yield the section's lines."""
    yield TITLE
    yield ""
    yield (
        "Reports that are on disk when they are answered, beside an empty view of Flask under the "
        f"same waitress. Both took turns in {len(found[0].ratios)} short rounds, with the headers "
        "of a browser. When the run began, other programs kept the machine busy with a load of "
        f"{load:.1f}: waits and ratios suffer from it. Medians of the rounds, with the lowest and "
        "the highest ratio; the longest wait is that of all rounds. The ratio of CPU time (empty / "
        "durable) depends less on what else the machine does. "
        "`python -m tests.benchmarks accepting` writes only this section."
    )
    yield ""
    head = ["connections", "durable per second", "empty per second", "ratio"]
    head += ["ratio of CPU time", "p50, ms", "p99, ms", "longest wait, ms"]
    yield from table(head, (_row(each) for each in found))
    yield ""
    yield from (f"- {line}" for line in _verdicts(found))
    one, many = min(statements), max(statements)
    yield (
        f"- A batch of {many} reports takes {statements[many]} statements, a batch of {one} "
        f"takes {statements[one]}."
    )


def _row(found: Accepting) -> list[str]:
    ratios = found.ratios
    return [
        str(found.connections),
        f"{median_rate(found.durable):,.0f}",
        f"{median_rate(found.empty):,.0f}",
        f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
        f"{found.cpu_ratio:.2f}",
        *(f"{1000 * wait:.0f}" for wait in (found.wait(0.5), found.wait(0.99), found.longest)),
    ]


def _verdicts(found: Sequence[Accepting]) -> Iterator[str]:
    few, many = found
    ratio = statistics.median(few.ratios)
    yield f"Goal at least {GOAL_RATIO:.2f} of the empty view: {_verdict(ratio >= GOAL_RATIO)}."
    p99, worst = 1000 * few.wait(0.99), 1000 * many.longest
    yield (
        f"Goal p99 below {GOAL_P99_MILLISECONDS} ms at {few.connections} connections: "
        f"{_verdict(p99 < GOAL_P99_MILLISECONDS)}."
    )
    yield (
        f"Goal longest wait below {GOAL_WORST_MILLISECONDS} ms at {many.connections} connections: "
        f"{_verdict(worst < GOAL_WORST_MILLISECONDS)}."
    )


def _verdict(is_met: bool) -> str:
    return MET if is_met else "**short**"
