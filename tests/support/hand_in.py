"""A report and the request that hands it in: the one place of the tests that knows both.

`Live.post` is for a test that sends a report or two; `crowd` sends many at once.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from client.core.report import Report
from client.core.survey import Survey
from client.core.tickets.ticket import report_id
from server.data_folder import DataFolder
from server.surveys import tickets

JSON = {"Content-Type": "application/json"}
# What a browser sends with every report.
_BROWSER = (
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36\r\n"
    "Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nAccept-Language: en-US,en;q=0.9\r\n"
    "Cache-Control: no-cache\r\nPragma: no-cache\r\nOrigin: http://127.0.0.1\r\n"
    "Sec-Fetch-Dest: empty\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\n"
)


@dataclass(frozen=True)
class HandIn:
    """A request that may be sent any number of times."""

    ticket: str | None
    method: str
    path: str
    body: bytes
    headers: Mapping[str, str]

    @property
    def id(self) -> str:
        """The id under which the server stores the report until the survey is closed."""
        return report_id(str(self.ticket))

    @property
    def request(self) -> tuple[str, str, bytes, Mapping[str, str]]:
        """What `live.send` takes after the address."""
        return self.method, self.path, self.body, self.headers

    @cached_property
    def wire(self) -> bytes:
        """The bytes that a browser would send."""
        headers = {**self.headers, "Content-Length": str(len(self.body))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"{self.method} {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{_BROWSER}{lines}\r\n"
        return head.encode() + self.body


def hand_in(
    survey: Survey, body: bytes, ticket: str | None, headers: Mapping[str, str] = JSON
) -> HandIn:
    """Return the request for a report's body."""
    spend = {} if ticket is None else {"Candor-Ticket": ticket}
    return HandIn(ticket, "POST", f"{api_of(survey)}/reports", body, {**headers, **spend})


def api_of(survey: Survey) -> str:
    return f"/api/{'drafts' if survey.test else 'surveys'}/{survey.slug}"


def fresh(secret: bytes, survey: Survey, **randomized: Any) -> HandIn:
    """Return a new report to an open survey; every question that is not named is 1."""
    values = {question.id: 1 for question in survey.questions} | randomized
    body = Report(survey.fingerprint, values).body
    return hand_in(survey, body, tickets.issue(secret, survey.fingerprint))


def stored_ids(folder: DataFolder) -> list[str]:
    """List the reports that are stored in a data folder by the `id` of their `HandIn`.

    Those of a closed survey have another id, and the one that they had is kept by itself.
    """
    query = (
        "SELECT reports.id FROM reports JOIN surveys ON surveys.id = survey WHERE state = 'open' "
        "UNION ALL SELECT hash FROM spent"
    )
    uri = f"{folder.database.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as db:
        return [id for (id,) in db.execute(query)]


def stored_reports(folder: DataFolder) -> Iterator[tuple[str, str]]:
    """Yield the fingerprint and the randomized answers of every stored report, tests too."""
    query = "SELECT fingerprint, randomized FROM reports JOIN surveys ON survey = surveys.id"
    for path in (folder.database, folder.drafts):
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            yield from db.execute(query)
