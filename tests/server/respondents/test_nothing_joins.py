"""No address, log line, row or transaction has anything of a link and anything of a ticket in it.

People ask and hand in at the same time, so that the writer has both in hand at once.
"""

import hashlib
import logging
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from client.core.tickets.ticket import read, report_id
from server.store import writer
from server.surveys.tickets import link_hash
from tests.support.inviting import ask_for_ticket, personal
from tests.support.live import Answer, Live
from tests.support.tickets import Device

PEOPLE = 24


@dataclass(frozen=True)
class Person:
    """All marks of one person's link, and all marks of the ticket that it bought."""

    of_link: tuple[str, ...]
    of_ticket: tuple[str, ...]


def person_of(live: Live, device: Device, signed: str) -> Person:
    hash = link_hash(live.services.secret, live.survey.fingerprint, device.invitation)
    blinded = device.blinding.blinded
    asked = hashlib.sha256(bytes.fromhex(blinded)).hexdigest()
    text = device.ticket(signed)
    ticket = read(text)
    return Person(
        (device.invitation, hash.hex(), blinded, asked, signed),
        (text, ticket.nonce, ticket.signature, report_id(text)),
    )


@pytest.fixture
def transactions(staff: Live) -> Iterator[list[str]]:
    """All that the writer executes from now on: one text for each transaction, with its values."""
    found: list[str] = []

    def note(statement: str) -> None:
        if statement.startswith("BEGIN"):
            found.append("")
        elif found:
            found[-1] += statement.lower()

    def trace(db: Any, to: Callable[[str], None] | None) -> None:
        db.conn.set_trace_callback(to)

    database = staff.services.database
    database.write(lambda db: trace(db, note))
    yield found
    database.write(lambda db: trace(db, None))


def held_back(live: Live) -> threading.Event:
    """Keep the writer busy until the event, so that all that comes meanwhile is in hand at once."""
    go, began = threading.Event(), threading.Event()

    def wait(_: Any) -> None:
        began.set()
        assert go.wait(60)

    threading.Thread(target=live.services.database.write, args=[wait]).start()
    assert began.wait(60)
    return go


def when_queued(live: Live, count: int) -> None:
    """Wait until so much waits for the writer."""
    until = time.monotonic() + 60
    while live.services.database._writer._queue.qsize() < count:
        assert time.monotonic() < until
        time.sleep(0.01)


def everything(live: Live) -> list[Person]:
    """Have half of the people hand in while the other half asks, and then the other way round."""
    devices = [Device(live.survey, code) for code in personal(live, PEOPLE)]
    early, late = devices[: PEOPLE // 2], devices[PEOPLE // 2 :]
    signed = {device.invitation: _signed(ask_for_ticket(live, device.wish)) for device in early}
    with ThreadPoolExecutor(PEOPLE) as pool:
        go = held_back(live)
        sent: list[Future[Answer]] = []
        # In turns, two and two: the server signs two at a time.
        for first in range(0, len(late), 2):
            for device in late[first : first + 2]:
                sent.append(pool.submit(ask_for_ticket, live, device.wish))
            when_queued(live, len(sent))
            for device in early[first : first + 2]:
                ticket = device.ticket(signed[device.invitation])
                sent.append(pool.submit(live.post, live.report(), ticket))
            when_queued(live, len(sent))
        go.set()
        answers = [each.result() for each in sent]
    assert {answer.status for answer in answers} == {201}
    asked = [answer for answer in answers if "signed" in answer.json]
    signed |= {device.invitation: _signed(each) for device, each in zip(late, asked, strict=True)}
    for device in late:
        ticket = device.ticket(signed[device.invitation])
        assert live.post(live.report(), ticket).status == 201
    return [person_of(live, device, signed[device.invitation]) for device in devices]


def _signed(answer: Answer) -> str:
    return str(answer.json["signed"])


def joined(texts: list[str], people: list[Person]) -> list[str]:
    """Return the texts with a mark of somebody's link and a mark of somebody's ticket."""
    links = {mark.lower() for person in people for mark in person.of_link}
    tickets = {mark.lower() for person in people for mark in person.of_ticket}
    # Every mark is one of these words: hexadecimal digits, or a code.
    words = re.compile(r"[0-9a-z.-]+")
    found = [(set(words.findall(text.lower())), text) for text in texts]
    return [text for own, text in found if own & links and own & tickets]


def test_no_transaction_has_a_link_and_a_ticket(staff: Live, transactions: list[str]) -> None:
    people = everything(staff)
    # Both kinds were seen, several in one transaction.
    for marks in ([person.of_link[1] for person in people], [p.of_ticket[-1] for p in people]):
        assert max(sum(mark in text for mark in marks) for text in transactions) > 1
    assert joined(transactions, people) == []


def test_a_writer_that_takes_all_that_waits_at_once_is_noticed(
    staff: Live, transactions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_at_once(jobs: Any) -> Iterator[list[Any]]:
        parts = [part for parts in apart(jobs) for part in parts]
        if parts:
            yield parts

    apart = writer._transactions
    monkeypatch.setattr(writer, "_transactions", all_at_once)
    people = everything(staff)
    assert joined(transactions, people) != []


def test_no_row_log_line_or_address_has_a_link_and_a_ticket(
    staff: Live, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: list[str] = []
    send = Live.send

    def note(live: Live, method: str, path: str, *rest: Any, **named: Any) -> Answer:
        addresses.append(path)
        return send(live, method, path, *rest, **named)

    monkeypatch.setattr(Live, "send", note)
    with caplog.at_level(logging.DEBUG):
        people = everything(staff)
    api = f"/api/surveys/{staff.survey.slug}"
    assert set(addresses) == {f"{api}/tickets", f"{api}/reports"}
    marks = {mark for person in people for mark in (*person.of_link, *person.of_ticket)}
    assert not [line for line in caplog.messages if any(mark in line for mark in marks)]
    rows = _rows(staff)
    assert joined(rows, people) == []
    # The marks are looked for in the form in which they stand there.
    for which in (0, 1):
        kinds = [(person.of_link, person.of_ticket)[which] for person in people]
        assert any(mark in row for row in rows for kind in kinds for mark in kind)


def _rows(live: Live) -> list[str]:
    """Return every row of every table as text, bytes as hexadecimal digits."""
    with sqlite3.connect(live.folder.database) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type='table'")
        ]
        rows = [row for name in names for row in db.execute(f"SELECT * FROM {name}")]
    return [
        " ".join(cell.hex() if isinstance(cell, bytes) else str(cell) for cell in row)
        for row in rows
    ]
