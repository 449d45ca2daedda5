"""Durability: a server that is killed at any instant has lost and doubled nothing.

CANDOR_TORTURE=1 runs the same at full scale.
"""

import http.client
import os
import random
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from client.core.primitives.words import secure_hex
from client.core.report import Report
from client.core.survey import Survey
from server.data_folder import DataFolder
from server.serving import running_services
from server.store.verify import verify
from server.surveys import tickets
from tests.support.live import JSON, send, stored
from tests.support.process import ServerProcess, candor, serving
from tests.support.publishing import publish_draft

TORTURE = bool(os.environ.get("CANDOR_TORTURE"))
KILLS = 200 if TORTURE else 3
CLIENTS = 8


class Crowd:
    """Devices that hand in reports for as long as anybody answers, and remember what they heard."""

    def __init__(self, folder: DataFolder, survey: Survey) -> None:
        self._secret = folder.secret
        self._survey = survey
        self._lock = threading.Lock()
        self.sent: dict[str, bytes] = {}
        self.acknowledged: set[str] = set()

    def hand_in(self, url: str, id: str) -> None:
        ticket = tickets.issue(self._secret, self._survey.fingerprint)
        path = f"/api/surveys/{self._survey.slug}/reports/{id}"
        answer = send(url, "PUT", path, self.sent[id], {"Candor-Ticket": ticket, **JSON})
        assert answer.status in (200, 201), answer
        with self._lock:
            self.acknowledged.add(id)

    def keep_sending(self, url: str) -> None:
        """Until the server is gone."""
        while True:
            id = secure_hex(4)
            value = int(id, 16) & 1
            body = Report(self._survey.fingerprint, {"smokes": value, "drinks": 1 - value}).body
            with self._lock:
                self.sent[id] = body
            try:
                self.hand_in(url, id)
            except (OSError, http.client.HTTPException):
                return

    @property
    def unheard(self) -> set[str]:
        return self.sent.keys() - self.acknowledged


def published(folder: DataFolder, draft: dict[str, Any]) -> Survey:
    with running_services(folder) as services:
        return publish_draft(services, draft).published.survey


def test_kill_9_under_load_loses_nothing_acknowledged_and_doubles_nothing(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    crowd = Crowd(folder, published(folder, draft))
    instants = random.Random(20261116)
    for _ in range(KILLS):
        process = ServerProcess(folder)
        with ThreadPoolExecutor(CLIENTS) as pool:
            clients = [pool.submit(crowd.keep_sending, process.url) for _ in range(CLIENTS)]
            heard = len(crowd.acknowledged)
            # At least one acknowledgement per life, so that every kill can lose something. A client
            # that is done before the kill was refused, and says below what it heard.
            while len(crowd.acknowledged) == heard and not any(map(Future.done, clients)):
                threading.Event().wait(0.001)
            threading.Event().wait(instants.uniform(0, 0.5))
            process.kill()
            for client in clients:
                client.result()
        ids = {row[1] for row in stored(folder)["reports"]}
        assert crowd.acknowledged <= ids <= crowd.sent.keys()
        assert verify(folder.database).problems == []
    assert len(crowd.acknowledged) >= KILLS
    with serving(folder) as process:
        # What nobody heard about is sent again, the same bytes: stored before or not, once.
        for id in sorted(crowd.unheard):
            crowd.hand_in(process.url, id)
    rows = stored(folder)
    assert {row[1] for row in rows["reports"]} == crowd.sent.keys()
    assert len(rows["tickets"]) == len(crowd.sent)
    assert verify(folder.database).problems == []


def test_a_polite_stop_ends_with_zero_and_a_file_that_is_complete_on_its_own(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    crowd = Crowd(folder, published(folder, draft))
    process = ServerProcess(folder)
    for _ in range(5):
        id = secure_hex(4)
        crowd.sent[id] = Report(crowd._survey.fingerprint, {"smokes": 1, "drinks": 1}).body
        crowd.hand_in(process.url, id)
    assert folder.announced_url == process.url
    assert process.stop() == 0
    assert folder.announced_url is None
    log = folder.database.with_name("candor.db-wal")
    assert not log.exists() or log.stat().st_size == 0
    assert len(stored(folder)["reports"]) == 5


def test_the_log_file_of_a_server_names_no_report_no_ticket_no_address_and_no_agent(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    survey = published(folder, draft)
    secret = folder.secret
    ids = [secure_hex(4) for _ in range(10)]
    issued = [tickets.issue(secret, survey.fingerprint) for _ in ids]
    body = Report(survey.fingerprint, {"smokes": 1, "drinks": 1}).body
    process = ServerProcess(folder)
    for id, ticket in zip(ids, issued, strict=True):
        for content in (body, b"{"):
            send(
                process.url,
                "PUT",
                f"/api/surveys/habits/reports/{id}",
                content,
                {"Candor-Ticket": ticket, "User-Agent": "agent-canary", **JSON},
            )
    process.stop()
    log = process.log.read_text()
    for canary in (*ids, *issued, "127.0.0.1", "agent-canary"):
        assert canary not in log
    files = [path for path in folder.path.iterdir() if path.suffix != ".key"]
    for path in files:
        assert b"agent-canary" not in path.read_bytes()
        assert b"127.0.0.1" not in path.read_bytes()


def test_a_second_server_on_the_same_folder_is_refused_with_one_line(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    published(folder, draft)
    with serving(folder):
        second = candor(folder, "serve", "--port", "0")
    assert second.returncode == 2
    assert second.stderr.startswith("Error: another process is writing in the data folder")
    assert len(second.stderr.splitlines()) == 1


def test_a_killed_server_leaves_no_lock_behind(folder: DataFolder, draft: dict[str, Any]) -> None:
    published(folder, draft)
    with serving(folder):
        pass
    # Its address stays behind, but the lock is free, so the command writes directly.
    assert folder.announced_url is not None
    closed = candor(folder, "close", "habits", "--yes", "--json")
    assert closed.returncode == 0, closed.stderr
