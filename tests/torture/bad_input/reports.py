"""Mutated reports: the server refuses each in one sentence, or an oracle finds it sound."""

import json
import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from server.app import create_app
from server.data_folder import DataFolder
from server.respondents.lane import ReportLane
from server.serving import running_services
from server.store.verify import verify
from server.web.services import Services
from tests.support.hand_in import stored_reports
from tests.support.live import running
from tests.support.roads import answer_at_once, request
from tests.torture.bad_input.attempts import Trial, attempt
from tests.torture.bad_input.oracles.report import check_answers, check_report
from tests.torture.bad_input.report_requests import BODY, HEAD, WIRE, Sent, draw, open_surveys
from tests.torture.bad_input.sockets import Device, statuses
from tests.torture.bad_input.verdicts import ACCEPTED, check_sentence, counted, outcome
from tests.torture.durability.disk.place import in_memory
from tests.torture.row import Outcome, Progress, Row

# The same in every run, so that the same seed gives the same tickets.
_SECRET = {"secret.key": "5e" * 32}
_NO_ANSWER = "no answer"


class Reports:
    """Draws changed reports and hands them in, in this process or over a socket."""

    def __init__(self, services: Services, device: Device) -> None:
        lane = create_app(services).wsgi_app
        assert isinstance(lane, ReportLane)
        self._lane, self._device = lane, device
        self.asked = open_surveys(services)
        # How many were stored for certain, and of how many nothing was heard.
        self.stored = self.unheard = 0

    def draw(self, dice: random.Random) -> Sent:
        # To sign takes long, so few of the many are to the invited survey.
        weights = [1 if asked.survey.ticket_keys else 8 for asked in self.asked]
        return draw(dice.choices(self.asked, weights)[0], dice)

    def judge(self, given: Sent) -> str:
        if given.way == WIRE:
            return self._judge_wire(given.wire)
        status, body = self._answer(given)
        sound = _is_sound(given)
        if status < 300 and body:
            assert sound, "a report outside the schema was accepted"
            self.stored += status == 201
            return ACCEPTED
        # Whatever is odd about the head may be refused too.
        assert given.way == HEAD or not sound, f"a sound report was refused: {body!r}"
        return _refusal(status, body)

    def _answer(self, given: Sent) -> tuple[int, bytes]:
        item = given.item
        if given.way not in (BODY, HEAD):
            return self._device.ask(item.wire)
        plain = {"REQUEST_METHOD": item.method, "PATH_INFO": item.path}
        ticket = item.headers["Candor-Ticket"]
        environ = request(ticket, item.body, **{**plain, **given.head})
        status, _, body = answer_at_once(self._lane, environ, item.body)
        return int(status[:3]), body

    def _judge_wire(self, wire: bytes) -> str:
        """Send bytes that are perhaps no request; whatever is stored of them is checked at the end.

        A request that looks incomplete gets no answer until its deadline: nobody waits for that.
        """
        found = statuses(self._device.send(wire))
        assert all(status < 500 for status in found), found
        self.stored += found.count(201)
        self.unheard += not found
        return f"HTTP {found[0]}" if found else _NO_ANSWER


def _is_sound(given: Sent) -> bool:
    """Ask the oracle; the questions and boxes must be those of the ticket."""
    try:
        found = check_report(given.asked.document, given.asked.survey.fingerprint, given.item.body)
    except (AssertionError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    return all(_part(found[id]) == _part(own) for id, own in given.answers.items())


def _part(value: Any) -> Any:
    """Return what the ticket decides: whether a question is asked, and which boxes."""
    pairs = isinstance(value, list) and value and isinstance(value[0], list)
    return [box for box, _ in value] if pairs else value is None


def _refusal(status: int, body: bytes) -> str:
    assert status < 500, (status, body)
    # The methods HEAD and OPTIONS: their answers have no body.
    if not body:
        return f"HTTP {status}"
    error = json.loads(body)["error"]
    check_sentence(error["message"])
    return str(error["code"])


def check_stored(folder: DataFolder, trial: Reports) -> None:
    """Fail unless the database holds what was accepted, all of it sound, and nothing else."""
    documents = {asked.survey.fingerprint: asked.document for asked in trial.asked}
    count = 0
    for fingerprint, content in stored_reports(folder):
        check_answers(documents[fingerprint], json.loads(content))
        count += 1
    assert trial.stored <= count <= trial.stored + trial.unheard
    for path in (folder.database, folder.drafts):
        assert verify(path, log_key=folder.log_key).problems == []


@contextmanager
def reports() -> Iterator[Trial]:
    """Open surveys on a server with a socket; at the end, check what is stored."""
    with in_memory() as place:
        folder = DataFolder(place)
        folder.put_keys(_SECRET)
        with (
            running_services(folder, housekeeping=False) as services,
            running(services) as url,
            closing(Device(url)) as device,
        ):
            trial = Reports(services, device)
            yield trial
        check_stored(folder, trial)


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Hand in this many reports."""
    tally = attempt(reports, amount, seed, progress)
    return outcome(tally, counted(tally, "reports"))


ROW = Row(
    "reports",
    "reports after changes of bytes, tokens, values and headers, handed in to the server; one in "
    "20 over a socket, one in 100 as bytes that may be no request",
    "no 5xx, none over 1 s, none accepted or stored outside the schema as an oracle judges, no "
    "sound one refused",
    1_000_000,
    "reports",
    run,
)
