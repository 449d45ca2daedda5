"""A stranger fills a survey over its open link: that does not close it, and honest people wait."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from client.authoring.draft.survey import build_survey
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn, fresh, stored_ids
from tests.support.live import send
from tests.support.process import ServerProcess
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.recording import DRAFT
from tests.torture.row import Outcome, Progress, Row

CONNECTIONS = 64
# Honest people who had their tickets before the stranger came.
HONEST = 20
FULL = 403


class Stuffing:
    """A survey that is full at half of the reports that a stranger sends."""

    def __init__(self, folder: DataFolder, reports: int, seed: int) -> None:
        self.folder = folder
        self.room = reports // 2
        survey, secret, random = build_survey(DRAFT), folder.secret, Random(seed)
        self.forged = [fresh(secret, survey, smokes=1) for _ in range(reports)]
        self.honest = [fresh(secret, survey, smokes=random.randrange(2)) for _ in range(HONEST)]
        path = f"/surveys?closes_at={self.room}"
        call_operator(folder, path, json.dumps(DRAFT).encode())

    @property
    def state(self) -> str:
        return str(call_operator(self.folder, "/surveys/habits", None)["state"])

    def fill(self, url: str, progress: Progress) -> Iterator[str]:
        """Send what the stranger forged; say what is wrong."""

        def listen(answer: Heard) -> None:
            heard[answer.status] += 1
            progress.advance()

        heard: Counter[int] = Counter()
        send_all(url, self.forged, CONNECTIONS, listen)
        if heard != {201: self.room, FULL: len(self.forged) - self.room}:
            yield f"the stranger heard {dict(heard)}"

    def look(self, url: str) -> Iterator[str]:
        """Say what is wrong with a survey that must be full, and neither closed nor larger."""
        if self.state != "full":
            yield f"the survey is {self.state}, not full"
        results = send(url, "GET", "/s/habits/estimates.json").json
        if results.get("final") is not False:
            yield "its results are final"
        if len(stored_ids(self.folder)) != self.room:
            yield f"{len(stored_ids(self.folder))} reports are stored, not {self.room}"
        if _statuses(url, self.honest) != {FULL: HONEST}:
            yield "honest people hear something else than that it is full"

    def reopen(self, url: str) -> Iterator[str]:
        """Reopen the survey as its owner, and let the honest people try again."""
        room = self.room + HONEST
        call_operator(self.folder, f"/surveys/habits/reopen?closes_at={room}")
        if self.state != "open":
            yield f"the survey is {self.state} after it was reopened"
        if _statuses(url, self.honest) != {201: HONEST}:
            yield "honest people were not let in"
        if {item.id for item in self.honest} - set(stored_ids(self.folder)):
            yield "an honest report is not stored"
        yield from verify(self.folder.database, log_key=self.folder.log_key).problems


def _statuses(url: str, items: list[HandIn]) -> Counter[int]:
    found: Counter[int] = Counter()
    send_all(url, items, CONNECTIONS, lambda answer: found.update([answer.status]))
    return found


def stuff(
    amount: int,
    seed: int,
    progress: Progress,
    meanwhile: Callable[[DataFolder], Any] = lambda folder: None,
) -> list[str]:
    """Fill a survey, start the server again, and reopen the survey; return what is wrong.

    `meanwhile` is what else happens before anybody looks.
    """
    with in_memory() as place:
        folder = DataFolder(place / "data")
        process = ServerProcess(folder)
        try:
            stuffing = Stuffing(folder, amount, seed)
            wrong = list(stuffing.fill(process.url, progress))
            meanwhile(folder)
            wrong += stuffing.look(process.url)
            process.stop()
            # A server that starts looks first which surveys are over.
            process = ServerProcess(folder)
            wrong += stuffing.look(process.url)
            return wrong or list(stuffing.reopen(process.url))
        finally:
            process.kill()


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Send so many forged reports."""
    wrong = stuff(amount, seed, progress)
    figure = (
        f"{amount:,} forged reports, {amount // 2:,} stored, the rest refused; then full, not "
        f"closed; reopened by its owner, {HONEST} of {HONEST} honest reports taken"
    )
    return Outcome(figure if not wrong else "; ".join(wrong), not wrong, "; ".join(wrong))


ROW = Row(
    "stuffing",
    "a stranger sends many reports over the open link of a survey with room for half of them",
    "10,000 forged reports: the survey is full, not closed, and its owner reopens it",
    10_000,
    "reports",
    run,
)
