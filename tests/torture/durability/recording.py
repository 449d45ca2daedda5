"""Some days in the life of a server, with every call to its disk and every acknowledgement.

It starts in an empty folder, publishes, takes reports, closes a survey, which rewrites the file, is
stopped, is killed under load, recovers, and empties its log into the file on the way.
"""

import json
import signal
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn, fresh
from tests.torture.durability.disk.faults import Faults
from tests.torture.durability.disk.medium import Medium
from tests.torture.durability.disk.trace import ACKNOWLEDGED, Record, read_trace
from tests.torture.durability.disk.watched import WatchedServer

DRAFT: dict[str, Any] = {
    "slug": "habits",
    "title": "Habits",
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [
        {"id": "smokes", "prompt": "Do you smoke?"},
        {"id": "drinks", "prompt": "Do you drink alone?"},
    ],
}
# Few devices make many small commits: more of them fit between two cuts.
CONNECTIONS = 4


@dataclass
class Recording:
    """All calls in order, and what was acknowledged by which of them."""

    records: list[Record] = field(default_factory=list)
    # By the place of the record after which they count.
    reports: dict[int, HandIn] = field(default_factory=dict)
    closed: dict[int, tuple[str, str]] = field(default_factory=dict)
    sent: set[str] = field(default_factory=set)
    keys: dict[str, str] = field(default_factory=dict)


class Recorder:
    """Lets a server live several times in one folder, and records it."""

    def __init__(self, place: Path, random: Random) -> None:
        self.folder = DataFolder(place / "data")
        self.recording = Recording()
        self._place = place
        self._faults = Faults(place / "faults")
        self._random = random
        self._lives = 0

    @contextmanager
    def life(self, end: signal.Signals) -> Iterator["Life"]:
        """Start the server; send it a signal at the end, and add what it did to the recording."""
        self._lives += 1
        trace = self._place / f"trace-{self._lives}"
        server = WatchedServer(self.folder, trace, self._faults)
        assert server.url, server.errors.read_text()
        life = Life(self.folder, server, trace, self._random)
        yield life
        server.end(end)
        life.wait()
        self._add(trace, life)

    def _add(self, trace: Path, life: "Life") -> None:
        start = len(self.recording.records)
        heard = {port: iter(items) for port, items in life.heard.items()}
        for record in read_trace(trace):
            self.recording.records.append(record)
            if record.what == ACKNOWLEDGED:
                # Others are answered too, and of what a killed server said last nobody has heard.
                item = next(heard.get(record.file, iter(())), None)
                if item is not None:
                    self.recording.reports[len(self.recording.records)] = item
        for after, closing in life.closed:
            self.recording.closed[start + after] = closing
        self.recording.sent |= life.sent


class Life:
    """A running server, and what its clients hear."""

    def __init__(self, folder: DataFolder, server: WatchedServer, trace: Path, random: Random):
        self._folder, self._server, self._trace, self._random = folder, server, trace, random
        self._threads: list[threading.Thread] = []
        self.heard: dict[int, list[HandIn]] = defaultdict(list)
        self.closed: list[tuple[int, tuple[str, str]]] = []
        self.sent: set[str] = set()

    def publish(self, slug: str) -> Survey:
        draft = {**DRAFT, "slug": slug}
        call_operator(self._folder, "/surveys", json.dumps(draft).encode())
        return build_survey(draft)

    def close(self, slug: str) -> None:
        done = call_operator(self._folder, f"/surveys/{slug}/close")
        self.closed.append((sum(1 for _ in read_trace(self._trace)), (slug, done["digest"])))

    def send(self, survey: Survey, count: int, connections: int = CONNECTIONS) -> None:
        """Hand in new reports; return when all are answered or the server is gone."""
        secret = self._folder.secret
        items = [fresh(secret, survey, smokes=self._random.randrange(2)) for _ in range(count)]
        self.sent |= {item.id for item in items}
        send_all(self._server.url, items, connections, self._listen)

    def send_meanwhile(self, survey: Survey, count: int) -> None:
        """Hand in new reports while other things happen."""
        self._threads.append(threading.Thread(target=self.send, args=(survey, count)))
        self._threads[-1].start()

    def wait(self) -> None:
        for thread in self._threads:
            thread.join()

    def wait_for(self, count: int) -> None:
        """Wait until so many reports of this life were acknowledged."""
        while sum(map(len, self.heard.values())) < count:
            threading.Event().wait(0.002)

    def _listen(self, answer: Heard) -> None:
        # A survey that was closed takes no more.
        assert answer.status in (201, 410), answer
        if answer.status == 201:
            self.heard[answer.port].append(answer.item)


def record(place: Path, random: Random, reports: int = 360) -> Recording:
    """Record a history with about so many reports."""
    recorder = Recorder(place, random)
    with recorder.life(signal.SIGTERM) as life:
        habits, short = life.publish("habits"), life.publish("short")
        life.send(short, reports // 12)
        life.send_meanwhile(habits, reports // 6)
        life.close("short")
        life.wait()
    with recorder.life(signal.SIGKILL) as life:
        # Enough commits of one report each that SQLite empties its log by itself.
        life.send(habits, reports // 2, connections=1)
        life.send_meanwhile(habits, reports)
        life.wait_for(reports)
    with recorder.life(signal.SIGKILL) as life:
        life.send(habits, reports // 12, connections=1)
        life.send_meanwhile(life.publish("late"), reports)
        life.wait_for(reports // 6)
        with suppress(Exception):
            life.close("late")
    recorder.recording.keys = recorder.folder.keys
    _require_all_recorded(recorder)
    return recorder.recording


def _require_all_recorded(recorder: Recorder) -> None:
    """Do all calls again: a call that the layer has missed would show in the folder."""
    medium = Medium()
    for call in recorder.recording.records:
        medium.happen(call)
    files = {path.name: path.read_bytes() for path in recorder.folder.path.iterdir()}
    # Shared memory of SQLite, which it never trusts after a start.
    assert _without_shared(medium.content) == _without_shared(files)


def _without_shared(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if not name.endswith("-shm")}
