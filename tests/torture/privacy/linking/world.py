"""People who answer by personal links, and all that the operator has of them but the times."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from client.core.report import Report
from client.core.tickets.ticket import read, report_id
from server.data_folder import DataFolder
from server.lifecycle.asking import ask
from server.lifecycle.hand_in import hand_in
from server.serving import running_services
from server.signing.blinded import signed_by
from server.surveys.tickets import link_hash
from server.web.services import Services
from tests.support.publishing import publish_draft
from tests.support.tickets import Device, new_links
from tests.torture.row import Progress

DRAFT: dict[str, Any] = {
    **{"title": "Staff", "access": "invited", "delete_on": "2999-12-31"},
    "questions": [{"id": "a", "prompt": "Do you?", "epsilon": "1"}],
}


@dataclass(frozen=True)
class Asked:
    """All of a link: what was sent and stored, in texts, and the numbers in it."""

    texts: Sequence[str]
    blinded: int
    signed: int
    # Its place in the file.
    row: int


@dataclass(frozen=True)
class Came:
    """All of a report: what was sent and stored, and the numbers in its ticket."""

    texts: Sequence[str]
    nonce: str
    signature: int
    # The message that was signed.
    message: int
    row: int


@dataclass(frozen=True)
class World:
    """Links in the order in which they were used, reports in the order in which they came."""

    primes: tuple[int, int]
    asked: Sequence[Asked]
    came: Sequence[Came]
    # For each link its report: what nobody may find out.
    truth: Sequence[int]

    @property
    def modulus(self) -> int:
        p, q = self.primes
        return p * q

    def right(self, guess: Sequence[int]) -> int:
        """Return how many links a guess joins to their reports."""
        assert sorted(guess) == list(range(len(self.came)))
        return sum(one == other for one, other in zip(guess, self.truth, strict=True))


@dataclass(frozen=True)
class Habit:
    """What devices do; a control does something that the protocol forbids."""

    device: type[Device] = Device
    # What else is sent with a report.
    beside: Callable[[Device], str] = lambda _: ""
    # Whether everybody gets a document, and so a key, of their own.
    own_documents: bool = False


def played(people: int, habit: Habit, seed: int, folder: Path, progress: Progress) -> World:
    """Have people answer on a server of their own: all ask first, all hand in later.

    Both in an order by lot, so that the order tells only what a clock would.
    """
    chance = Random(seed)
    with running_services(DataFolder(folder)) as services:
        devices = _devices(services, people, habit)
        chance.shuffle(devices)
        answers = []
        for device in devices:
            answers.append(ask(services, device.survey.slug, device.body).shape["signed"])
            progress.advance()
        order = list(range(people))
        chance.shuffle(order)
        came = [_hand_in(services, devices[number], answers[number], habit) for number in order]
        files = list(map(json.loads, services.database.keys.read_all().values()))
    rows, places = _stored(folder)
    return World(
        (int(files[0]["p"], 16), int(files[0]["q"], 16)),
        [
            _asked(device, signed, rows[_hash_of(services, device)])
            for device, signed in zip(devices, answers, strict=True)
        ],
        [_came(device, texts, places) for device, texts in came],
        [order.index(number) for number in range(people)],
    )


def _devices(services: Services, people: int, habit: Habit) -> list[Device]:
    surveys = [
        publish_draft(services, {**DRAFT, "slug": f"staff-{number}"}).published.survey
        for number in range(people if habit.own_documents else 1)
    ]
    each = people // len(surveys)
    links = ((survey, code) for survey in surveys for code in new_links(services, survey, each))
    return [habit.device(*link) for link in links]


def _hand_in(
    services: Services, device: Device, signed: str, habit: Habit
) -> tuple[Device, list[str]]:
    survey, ticket = device.survey, device.ticket(signed)
    body = Report(survey.fingerprint, {"a": 1}).wire(survey)
    assert hand_in(services, survey.slug, body, ticket)
    return device, [ticket, body.decode(), habit.beside(device)]


def _hash_of(services: Services, device: Device) -> bytes:
    return link_hash(services.secret, device.survey.fingerprint, device.invitation)


Rows = dict[bytes, tuple[int, list[str]]]


def _stored(folder: Path) -> tuple[Rows, dict[str, int]]:
    """Return the rows of both tables by their keys, with their places in the file."""
    with closing(sqlite3.connect(DataFolder(folder).database)) as db:
        links = db.execute("SELECT hash, asked, answer FROM invitations").fetchall()
        ids = db.execute("SELECT id FROM reports").fetchall()
    rows = {row[0]: (place, [cell.hex() for cell in row]) for place, row in enumerate(links)}
    return rows, {id: place for place, (id,) in enumerate(ids)}


def _asked(device: Device, signed: str, row: tuple[int, list[str]]) -> Asked:
    place, cells = row
    sent = [device.invitation, device.survey.fingerprint, device.body.decode(), signed]
    return Asked([*sent, *cells], int(device.blinding.blinded, 16), int(signed, 16), place)


def _came(device: Device, texts: Sequence[str], places: dict[str, int]) -> Came:
    ticket, id = read(texts[0]), report_id(texts[0])
    message = signed_by(device.key, ticket.signature)
    signature = int(ticket.signature, 16)
    return Came([*texts, id], ticket.nonce, signature, int(message, 16), places[id])
