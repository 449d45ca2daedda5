"""The server is killed at random instants under load: nothing is lost, and nothing counts twice."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random

from client.core.survey import Survey
from server.data_folder import DataFolder
from server.serving import running_services
from server.store.verify import verify
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn, fresh, stored_ids
from tests.support.process import ServerProcess
from tests.support.publishing import publish_draft
from tests.torture.durability.recording import DRAFT
from tests.torture.row import Outcome, Progress, Row

CONNECTIONS = 64
# On average, of one life of the server.
REPORTS_EACH = 1000
# Of one data folder: verifying takes longer the more it holds.
KILLS_EACH = 10
# Reports of earlier lives that are sent again in each, besides those that nobody heard of.
SENT_AGAIN = 50
LONGEST_DELAY = 0.03


@dataclass
class Toll:
    """What the kills have cost."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def is_nothing(self) -> bool:
        return not (self.lost or self.doubled or self.problems)


class Devices:
    """The devices of one survey: what they sent, and what they heard."""

    def __init__(self, folder: DataFolder, survey: Survey, toll: Toll) -> None:
        self._folder, self._survey, self._toll = folder, survey, toll
        self._secret = folder.secret
        self._sent: dict[str, HandIn] = {}
        self._acknowledged: dict[str, HandIn] = {}

    def live_through(self, random: Random, reports: int) -> None:
        """Send to a new server until so many new reports are acknowledged; then it is killed."""
        process = ServerProcess(self._folder)
        wanted = len(self._acknowledged) + reports
        killer: list[threading.Timer] = []

        def listen(answer: Heard) -> None:
            self._listen(answer)
            if len(self._acknowledged) >= wanted and not killer:
                killer.append(threading.Timer(random.uniform(0, LONGEST_DELAY), process.kill))
                killer[0].start()

        items = chain(self._again(random), self._new(random))
        send_all(process.url, items, CONNECTIONS, listen)
        if killer:
            killer[0].join()
            self._toll.kills += 1
        else:
            self._toll.problems.append("the server ended by itself")

    def send_the_rest(self, random: Random) -> None:
        """Send what nobody heard of to a server that lives on, and stop it."""
        process = ServerProcess(self._folder)
        send_all(process.url, self._again(random), CONNECTIONS, self._listen)
        process.stop()
        missing = len(self._sent) - len(self._acknowledged)
        if missing:
            self._toll.problems.append(f"{missing} reports were not acknowledged at the end")
        self._toll.acknowledged += len(self._acknowledged)

    def count(self) -> None:
        """Compare what is stored with what was sent and heard."""
        ids = stored_ids(self._folder)
        self._toll.lost += len(self._acknowledged.keys() - set(ids))
        self._toll.doubled += len(ids) - len(set(ids) & self._sent.keys())
        found = verify(self._folder.database, log_key=self._folder.log_key)
        self._toll.problems += found.problems

    def _new(self, random: Random) -> Iterator[HandIn]:
        while True:
            item = fresh(self._secret, self._survey, smokes=random.randrange(2))
            self._sent[item.id] = item
            yield item

    def _again(self, random: Random) -> list[HandIn]:
        """Return what nobody heard of, and some reports that are known to be stored."""
        known = list(self._acknowledged.values())
        some = random.sample(known, min(SENT_AGAIN, len(known)))
        return [*(item for id, item in self._sent.items() if id not in self._acknowledged), *some]

    def _listen(self, answer: Heard) -> None:
        id = answer.item.id
        if answer.status not in (200, 201):
            self._toll.problems.append(f"a report was answered with {answer.status}")
        elif answer.status == 201 and id in self._acknowledged:
            self._toll.doubled += 1
        else:
            self._acknowledged[id] = answer.item


def live_and_die(kills: int, reports: int, random: Random, advance: Callable[[], None]) -> Toll:
    """Kill the server of a new folder so many times, each after so many reports on average."""
    toll = Toll()
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name) / "data")
        with running_services(folder) as services:
            survey = publish_draft(services, DRAFT).published.survey
        devices = Devices(folder, survey, toll)
        for count in _counts(kills, reports, random):
            devices.live_through(random, count)
            devices.count()
            advance()
        devices.send_the_rest(random)
        devices.count()
    return toll


def _counts(kills: int, reports: int, random: Random) -> Iterator[int]:
    """Yield after how many reports each kill comes: any number, and the average of each pair."""
    for number in range(0, kills, 2):
        early = random.randint(1, 2 * reports - 1) if number + 1 < kills else reports
        yield from [early, 2 * reports - early][: kills - number]


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Kill so many servers in as many data folders as that takes."""
    random = Random(seed)
    tolls = [
        live_and_die(min(KILLS_EACH, amount - start), REPORTS_EACH, random, progress.advance)
        for start in range(0, amount, KILLS_EACH)
    ]
    acknowledged, lost, doubled = (
        sum(getattr(toll, name) for toll in tolls) for name in ("acknowledged", "lost", "doubled")
    )
    problems = [problem for toll in tolls for problem in toll.problems]
    figure = f"{amount} kills, {acknowledged:,} acknowledged, {lost} lost, {doubled} doubled"
    met = all(toll.is_nothing for toll in tolls) and acknowledged >= amount * REPORTS_EACH
    return Outcome(figure, met, problems[0] if problems else "")


ROW = Row(
    "kills",
    f"kill -9 of the server at random instants while {CONNECTIONS} connections send reports",
    "200 kills, 200,000 acknowledged, 0 lost, 0 doubled",
    200,
    "kills",
    run,
)
