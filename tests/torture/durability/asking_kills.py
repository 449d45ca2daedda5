"""The server is killed while devices ask for their tickets: each ends with one, and uses it."""

import http.client
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from client.core.report import Report
from client.core.survey import Survey
from server.data_folder import DataFolder
from server.serving import running_services
from server.store.verify import verify
from tests.support.hand_in import JSON, api_of, hand_in
from tests.support.live import Answer, send, stored
from tests.support.process import ServerProcess
from tests.support.publishing import publish_draft
from tests.support.tickets import Device, new_links
from tests.torture.durability.recording import DRAFT
from tests.torture.row import Outcome, Progress, Row

DRAFT_BY_LINK: dict[str, Any] = {**DRAFT, "access": "invited"}
CONNECTIONS = 8
# Of one life of the server: the devices that ask, and how many of them hear something.
DEVICES_EACH, HEARD_EACH = 20, 7
LONGEST_DELAY = 0.03
_MOST_TRIES = 1000


@dataclass
class Asking:
    """A device, and every different answer that it heard."""

    device: Device
    heard: set[str] = field(default_factory=set)
    lost: int = 0
    problem: str = ""

    def ask(self, url: str) -> None:
        """Ask with the same bytes as ever; what was lost, is lost."""
        try:
            path = f"{api_of(self.device.survey)}/tickets"
            answer = send(url, "POST", path, self.device.body, JSON)
        except (OSError, http.client.HTTPException):
            self.lost += 1
            return
        self._listen(answer)

    def _listen(self, answer: Answer) -> None:
        if answer.status in (200, 201):
            self.heard.add(answer.json["signed"])
        elif answer.status != 503:
            self.problem = f"a device was answered with {answer.status} {answer.code}"

    @property
    def is_done(self) -> bool:
        return bool(self.heard or self.problem)

    def hand_in(self, url: str) -> Answer:
        """Send a report with the ticket."""
        survey, (signed,) = self.device.survey, self.heard
        body = Report(survey.fingerprint, {question.id: 1 for question in survey.questions}).body
        return send(url, *hand_in(survey, body, self.device.ticket(signed)).request)


@dataclass
class Toll:
    """What came of all devices."""

    answers: int = 0
    lost: int = 0
    reports: int = 0
    problems: list[str] = field(default_factory=list)


def live_and_die(kills: int, random: Random, advance: Callable[[], None]) -> Toll:
    """Kill the server so many times; then let every device ask again, and hand in."""
    toll = Toll()
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name) / "data")
        with running_services(folder) as services:
            survey = publish_draft(services, DRAFT_BY_LINK).published.survey
            codes = new_links(services, survey, kills * DEVICES_EACH)
        everybody = [Asking(Device(survey, code)) for code in codes]
        for first in range(0, len(everybody), DEVICES_EACH):
            # Some of those who heard nothing before ask again.
            _die_while(folder, everybody[: first + DEVICES_EACH], random)
            advance()
        toll.answers = sum(len(each.heard) for each in everybody)
        toll.lost = sum(each.lost for each in everybody)
        toll.reports = _finish(folder, everybody, toll)
        _count(folder, survey, everybody, toll)
    return toll


def _die_while(folder: DataFolder, known: Sequence[Asking], random: Random) -> None:
    """Have devices ask a new server, which is killed as soon as some of them were answered."""
    process = ServerProcess(folder)
    asking = [each for each in known if not each.is_done]
    random.shuffle(asking)
    before = sum(each.is_done for each in known)
    killer: list[threading.Timer] = []
    door = threading.Lock()

    def ask(each: Asking) -> None:
        each.ask(process.url)
        with door:
            if not killer and sum(one.is_done for one in known) >= before + HEARD_EACH:
                killer.append(threading.Timer(random.uniform(0, LONGEST_DELAY), process.kill))
                killer[0].start()

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(ask, asking))
    if killer:
        killer[0].join()
    else:
        process.kill()


def _finish(folder: DataFolder, everybody: Sequence[Asking], toll: Toll) -> int:
    """Have every device ask once more, and hand in; return how many reports were stored."""
    process = ServerProcess(folder)
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(lambda each: each.ask(process.url), everybody))
        # The server puts off whom it cannot sign for at once.
        for each in everybody:
            for _ in range(_MOST_TRIES):
                if not each.is_done:
                    each.ask(process.url)
        toll.problems += [each.problem for each in everybody if each.problem]
        toll.problems += ["a device heard two answers" for one in everybody if len(one.heard) > 1]
        sound = [each for each in everybody if len(each.heard) == 1]
        answers = list(pool.map(lambda each: each.hand_in(process.url), sound))
    process.stop()
    return sum(answer.status == 201 for answer in answers)


def _count(folder: DataFolder, survey: Survey, everybody: Sequence[Asking], toll: Toll) -> None:
    """Compare what the database has with what was heard."""
    given = {row[3].hex() for row in stored(folder)["invitations"]}
    if given != {signed for each in everybody for signed in each.heard}:
        toll.problems.append("the database has other tickets than the devices")
    if toll.reports != len(everybody):
        toll.problems.append(f"{len(everybody) - toll.reports} devices could not hand in")
    toll.problems += verify(folder.database, log_key=folder.log_key).problems


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Kill so many servers of one survey."""
    toll = live_and_die(amount, Random(seed), progress.advance)
    figure = (
        f"{amount} kills, {toll.answers} answers received and {toll.lost} requests lost by then; "
        f"afterwards {toll.reports} of {amount * DEVICES_EACH} devices had one ticket and used it"
    )
    return Outcome(figure, not toll.problems, toll.problems[0] if toll.problems else "")


ROW = Row(
    "asking-kills",
    "kill -9 of the server at random instants while devices ask for blind tickets; all ask again",
    "each device ends with one ticket, the same as it heard before, and hands in one report",
    20,
    "kills",
    run,
)
