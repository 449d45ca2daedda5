"""Hundreds of clients that never end their requests: reports are taken nearly as fast as without.

More of them than the server has connections cost the oldest of them theirs, and nobody else.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn, fresh, stored_ids
from tests.support.live import send
from tests.support.process import serving
from tests.torture.durability.recording import DRAFT
from tests.torture.load.beside import beside
from tests.torture.load.drips import drip
from tests.torture.row import Outcome, Progress, Row

SLOW, TOO_MANY = 800, 2050
CONNECTIONS = 64
# Of one turn, with or without slow clients.
REPORTS = 2000
# Of those who come while there are too many slow clients: so many reports, so many at once. At full
# scale they come for longer than the server waits for the end of a request.
NEWCOMERS, AT_ONCE = 200, 4
PAUSE_SECONDS = 0.4
GOAL_SHARE = 0.80
# Without room for newcomers they would wait until a slow client has used up its time.
GOAL_SECONDS = 5.0


@dataclass
class Toll:
    """What slow clients have cost."""

    shares: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    thrown_out: int = 0
    acknowledged: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)


class Honest:
    """Devices that hand in reports while others waste connections."""

    def __init__(self, folder: DataFolder, url: str, toll: Toll) -> None:
        self._folder, self._url, self._toll = folder, url, toll
        call_operator(folder, "/surveys", json.dumps(DRAFT).encode())
        self._survey: Survey = build_survey(DRAFT)

    def compare(self, slow: int, reports: int) -> None:
        """Note the rate of reports beside so many slow clients, as a share of that without."""
        alone = self._rate(reports)
        with beside(drip, self._url, slow):
            self._toll.shares.append(self._rate(reports) / alone)

    def come_in(self, slow: int, reports: int) -> None:
        """Hand in reports over new connections, while there are too many slow clients."""
        with beside(drip, self._url, slow) as dripping, ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self._hand_in, self._fresh(reports)))
            self._toll.thrown_out = dripping.end()

    def count(self) -> None:
        """Compare what is stored with what was acknowledged."""
        found = verify(self._folder.database, log_key=self._folder.log_key)
        self._toll.problems += found.problems
        if set(stored_ids(self._folder)) != self._toll.acknowledged:
            self._toll.problems.append("what is stored is not what was acknowledged")

    def _fresh(self, reports: int) -> list[HandIn]:
        items = [fresh(self._folder.secret, self._survey) for _ in range(reports)]
        # Written out before, not while the time runs.
        assert all(item.wire for item in items)
        return items

    def _rate(self, reports: int) -> float:
        """Return how many reports are taken per second."""
        items, heard = self._fresh(reports), list[Heard]()
        start = time.perf_counter()
        send_all(self._url, items, CONNECTIONS, heard.append)
        seconds = time.perf_counter() - start
        for answer in heard:
            self._note(answer.item, answer.status)
        if len(heard) < reports:
            self._toll.problems.append(f"{reports - len(heard)} reports were never answered")
        return len(heard) / seconds

    def _hand_in(self, item: HandIn) -> None:
        time.sleep(PAUSE_SECONDS)
        start = time.perf_counter()
        try:
            status = send(self._url, *item.request).status
        except OSError:
            self._toll.problems.append("a report found no answer")
            return
        self._toll.waits.append(time.perf_counter() - start)
        self._note(item, status)

    def _note(self, item: HandIn, status: int) -> None:
        if status == 201:
            self._toll.acknowledged.add(item.id)
        else:
            self._toll.problems.append(f"a report was answered with {status}")


def suffer(
    turns: int, slow: int, too_many: int, reports: int, newcomers: int, progress: Progress
) -> Toll:
    """Compare rates so many times, then let newcomers in beside too many slow clients."""
    toll = Toll()
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name) / "data")
        with serving(folder) as process:
            honest = Honest(folder, process.url, toll)
            for _ in range(turns):
                honest.compare(slow, reports)
                progress.advance()
            honest.come_in(too_many, newcomers)
        honest.count()
    return toll


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Compare so many times. Tickets and ids are random as always, whatever the seed."""
    toll = suffer(amount, SLOW, TOO_MANY, REPORTS, NEWCOMERS, progress)
    share = statistics.median(toll.shares)
    figure = (
        f"{SLOW} slow clients: {share:.0%} of the rate without them ({min(toll.shares):.0%} to "
        f"{max(toll.shares):.0%}, {amount} turns); {TOO_MANY:,}: {len(toll.waits)} of {NEWCOMERS} "
        f"reports answered, the slowest in {1000 * max(toll.waits, default=0):.0f} ms"
    )
    short = list(judge(toll))
    return Outcome(figure, not short, "; ".join(short))


def judge(toll: Toll) -> Iterator[str]:
    """Say what is wrong."""
    yield from toll.problems[:1]
    if statistics.median(toll.shares) < GOAL_SHARE:
        yield f"less than {GOAL_SHARE:.0%} of the rate was kept"
    if max(toll.waits, default=0.0) >= GOAL_SECONDS:
        yield f"a newcomer waited for {max(toll.waits):.0f} s"


ROW = Row(
    "slow-clients",
    f"{SLOW} clients that send a byte now and then for ever, then {TOO_MANY:,}, more than the "
    "server has connections",
    f"at least {GOAL_SHARE:.0%} of the rate without them; with {TOO_MANY:,} every report answered "
    f"within {GOAL_SECONDS:.0f} s",
    10,
    "turns",
    run,
)
