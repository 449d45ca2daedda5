"""A server with devices, readers and an operator, on a disk that can be made to fail."""

import json
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn, fresh, stored_ids
from tests.support.live import send
from tests.torture.durability.disk.faults import Faults
from tests.torture.durability.disk.watched import WatchedServer
from tests.torture.durability.recording import DRAFT

CONNECTIONS = 4
REPORTS = 8
STORED = (200, 201)
UNAVAILABLE = "storage_unavailable"
# The beginning of a line of a traceback.
TRACE = b'  File "'


class Service:
    """A server in a new folder. `problems` are what no fault excuses."""

    def __init__(self, place: Path) -> None:
        self.folder = DataFolder(place / "data")
        self.faults = Faults(place / "faults")
        self.problems: list[str] = []
        self.statuses: Counter[int] = Counter()
        self._trace = place / "trace"
        self._sent: dict[str, HandIn] = {}
        self._acknowledged: set[str] = set()
        # Of the survey that is closed next; those before it are closed.
        self._number = 0
        self.start()
        self._publish("habits")
        self._publish(self._slug(0))
        self.send_new("habits")

    def start(self) -> bool:
        """Start the server; return whether it listens."""
        self.server = WatchedServer(self.folder, self._trace, self.faults)
        # Nobody reads it, and it is large.
        self._trace.unlink()
        self._threads = self.server.threads
        return bool(self.server.url)

    def stop(self) -> None:
        """Stop the server, whatever its disk does; require that it ends by itself."""
        if code := self.server.end():
            self.problems.append(f"the server ended with {code}")

    def require_clear_end(self) -> None:
        """Require of a server that did not start that it ended with a sentence."""
        code = self.server.end(None)
        said = self.server.errors.read_bytes().strip().splitlines()
        if code != 2 or not said or not said[-1].startswith(b"Error: "):
            self.problems.append(f"a start ended with {code}: {said[-3:]}")

    def live(self) -> None:
        """Let reports arrive while people read, and one survey opens and another closes."""
        devices = threading.Thread(target=self.send_new, args=("habits",))
        devices.start()
        self.read()
        self.hand_in_one()
        for step in (self._open_next, self._close_last):
            try:
                step()
            except Refusal as refusal:
                if refusal.code != UNAVAILABLE:
                    self.problems.append(f"the operator was told: {refusal.message}")
        devices.join()

    def recover(self) -> None:
        """Do again what failed; now everything must succeed."""
        try:
            self._open_next()
            self._close_last()
        except Refusal as refusal:
            self.problems.append(f"after the fault the operator was told: {refusal.message}")
        self._number += 1
        self.send_new(self._slug(self._number))
        self._send(item for id, item in self._sent.items() if id not in self._acknowledged)
        if left := len(self._sent) - len(self._acknowledged):
            self.problems.append(f"{left} reports are not taken after the fault")
        self.read()

    def check(self) -> None:
        """Compare what is stored with what was sent and heard."""
        ids = stored_ids(self.folder)
        if lost := self._acknowledged - set(ids):
            self.problems.append(f"{len(lost)} acknowledged reports are lost")
        if len(ids) != len(set(ids) & self._sent.keys()):
            self.problems.append("reports are stored twice, or were never sent")
        self._check_process()
        self.problems += verify(self.folder.database, log_key=self.folder.log_key).problems

    def _check_process(self) -> None:
        """Require all threads that the server had when it started, and a log without tracebacks."""
        if (left := self.server.threads) != self._threads:
            self.problems.append(f"{left} of {self._threads} threads of the server are left")
        if TRACE in (said := self.server.errors.read_bytes()):
            self.problems.append(f"the server said: {said[said.index(TRACE) - 200 :].decode()}")

    def _slug(self, number: int) -> str:
        return f"survey-{number}"

    def _open_next(self) -> None:
        self._publish(self._slug(self._number + 1))

    def _publish(self, slug: str) -> None:
        """Publish a survey; publishing it again changes nothing."""
        call_operator(self.folder, "/surveys", json.dumps({**DRAFT, "slug": slug}).encode())

    def _close_last(self) -> None:
        """Close a survey, whose reports are all acknowledged; closing it again changes nothing."""
        call_operator(self.folder, f"/surveys/{self._slug(self._number)}/close")

    def send_new(self, slug: str) -> None:
        """Hand in new reports."""
        survey, secret = _survey(slug), self.folder.secret
        items = [fresh(secret, survey, smokes=number % 2) for number in range(REPORTS)]
        self._sent |= {item.id: item for item in items}
        self._send(items)

    def _send(self, items: Iterable[HandIn]) -> None:
        send_all(self.server.url, list(items), CONNECTIONS, self._listen)

    def _listen(self, answer: Heard) -> None:
        self.statuses[answer.status] += 1
        if answer.status in STORED:
            self._acknowledged.add(answer.item.id)
        elif answer.status != 503:
            self.problems.append(f"a report was answered with {answer.status}")

    def hand_in_one(self) -> int:
        """Hand in one new report, and read what its device is told; return the status."""
        item = fresh(self.folder.secret, _survey("habits"))
        self._sent[item.id] = item
        answer = send(self.server.url, *item.request)
        if answer.status in STORED:
            self._acknowledged.add(item.id)
        elif answer.status != 503 or answer.code != UNAVAILABLE or not _is_clear(answer.body):
            self.problems.append(f"a device was told: {answer.body.decode()}")
        return answer.status

    def read(self) -> None:
        """Look at a survey and its results, as anybody may."""
        for path in ("/s/habits", "/s/habits/results"):
            answer = send(self.server.url, "GET", path)
            if answer.status != 200 and (answer.status != 503 or not _is_clear(answer.body)):
                self.problems.append(f"{path} was answered with {answer.status}")


def _is_clear(body: bytes) -> bool:
    """Tell whether an answer says what to do, and nothing about the code."""
    # A moment for programs, a minute for people.
    return b"try again in a m" in body and TRACE not in body


def _survey(slug: str) -> Survey:
    return build_survey({**DRAFT, "slug": slug})
