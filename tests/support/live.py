"""A real server on a real socket, and the few requests that tests make to it."""

import http.client
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from client.core.primitives.words import secure_hex
from client.core.report import Report
from client.core.survey import Survey
from server.app import create_app
from server.data_folder import DataFolder
from server.lifecycle.hand_in import store_ballot
from server.lifecycle.invitations import open_link
from server.serving import bind, running_services
from server.surveys.ballots.ballot import Ballot
from server.web.services import Services
from server.web.urls import invitation_links
from tests.support.groups import code
from tests.support.hand_in import JSON as JSON
from tests.support.hand_in import api_of, hand_in
from tests.support.publishing import publish_draft
from tests.support.tickets import new_links, new_ticket, use_links


@dataclass(frozen=True)
class Answer:
    """The response to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    # Each as in its header.
    cookies: tuple[str, ...] = ()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])


def send(
    url: str,
    method: str,
    path: str,
    body: bytes | Iterator[bytes] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Send one request on its own connection; an iterator as body is sent in chunks."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)) as connection:
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        cookies = tuple(response.headers.get_all("Set-Cookie") or ())
        return Answer(response.status, dict(response.headers), response.read(), cookies)


@dataclass(frozen=True)
class Live:
    """A server with one open survey, or with a draft of it under test."""

    url: str
    folder: DataFolder
    services: Services
    survey: Survey

    def get(self, path: str) -> Answer:
        return send(self.url, "GET", path)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        return send(self.url, method, path, body, headers)

    def ticket(self, group: str = "") -> str:
        """Return a genuine ticket; on an invited survey that of a new link."""
        return new_ticket(self.services, self.survey, group)

    def link(self, group: str = "") -> str:
        """Return a new personal link, or the open link, as people get it."""
        survey, services = self.survey, self.services
        if survey.by_invitation:
            carried = new_links(services, survey, 1, group)
        else:
            carried = open_link(services, survey.slug, group)["invitations"]
        summary = {"slug": survey.slug, "fingerprint": survey.fingerprint, "invitations": carried}
        (link,) = invitation_links(self.url, summary)
        return link

    @property
    def api(self) -> str:
        return api_of(self.survey)

    def post(
        self, body: bytes, ticket: str | None = "fresh", headers: Mapping[str, str] = JSON
    ) -> Answer:
        """Hand in a report, with a fresh ticket by default."""
        spend = self.ticket() if ticket == "fresh" else ticket
        return self.send(*hand_in(self.survey, body, spend, headers).request)

    def report(self, **randomized: Any) -> bytes:
        """Return the body of a report; every question that is not named is 0."""
        return self.parsed(**randomized).body

    def parsed(self, **randomized: Any) -> Report:
        """Return such a report before it is written."""
        values = {question.id: 0 for question in self.survey.questions} | randomized
        return Report(self.survey.fingerprint, values)

    def fill(self, count: int, group: str = "", **randomized: Any) -> None:
        """Put equal reports straight into the ballot box, of a group by its label."""
        survey, services, report = self.survey, self.services, self.parsed(**randomized)
        if survey.by_invitation:
            use_links(services, survey, count, group)
        for _ in range(count):
            ballot = Ballot(survey, secure_hex(4), report, code(survey, group))
            assert store_ballot(services.database_of(survey.test), ballot)

    def stored(self) -> dict[str, list[tuple[Any, ...]]]:
        return stored(self.folder, self.survey.test)


def stored(folder: DataFolder, test: bool = False) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row that a report could have touched."""
    database = folder.drafts if test else folder.database
    uri = f"{database.absolute().as_uri()}?mode=ro"
    queries = {
        "reports": "SELECT * FROM reports",
        "spent": "SELECT * FROM spent",
        "invitations": "SELECT * FROM invitations",
        "tallies": "SELECT * FROM tallies",
        "groups": "SELECT * FROM groups",
        "surveys": "SELECT * FROM surveys",
    }
    with closing(sqlite3.connect(uri, uri=True)) as db:
        return {name: db.execute(query).fetchall() for name, query in queries.items()}


def everywhere(folder: DataFolder) -> bytes:
    """Return every byte of the data folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.path.rglob("*")) if path.is_file())


@contextmanager
def running(services: Services) -> Iterator[str]:
    """Serve in a thread, and yield the address."""
    server = bind(create_app(services), "127.0.0.1", 0)
    thread = threading.Thread(target=server.loop.run)
    thread.start()
    try:
        yield server.url
    finally:
        server.loop.stop()
        thread.join()


@contextmanager
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """Serve a data folder with the survey of a draft."""
    with running_services(folder) as services, running(services) as url:
        survey = publish_draft(services, draft).published.survey
        yield Live(url, folder, services, survey)
